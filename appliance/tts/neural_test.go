package tts_test

import (
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"munadi/appliance/models"
	"munadi/appliance/models/voiceinstall"
	"munadi/appliance/tts"
	assetsort "munadi/assets/ort"
	"munadi/engine/ort"
	"munadi/engine/voice"
)

// newShelf returns a shelf with voices of the tiny network under the names.
func newShelf(t *testing.T, names ...string) *tts.VoiceShelf {
	t.Helper()
	if _, err := exec.LookPath("espeak-ng"); err != nil {
		t.Skip("espeak-ng is not installed")
	}
	zst, sum, version := assetsort.PackedLibrary()
	path, _, err := ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version}.UnpackTo(filepath.Join(os.TempDir(), "munadi-test-ort"))
	if err == nil {
		err = ort.LoadLibrary(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := &tts.VoiceShelf{Folder: models.OpenVoices(t.TempDir()), OpenVoice: func(dir string) (*voice.NeuralVoice, error) {
		return voice.OpenFolder(dir, 1)
	}}
	s.Verifier = &voiceinstall.VoiceWatch{Voices: s.Folder, Warn: func(string) {}, Log: slog.New(slog.DiscardHandler)}
	t.Cleanup(s.CloseVoices)
	for _, name := range names {
		installVoice(t, s, name)
	}
	return s
}

func installVoice(t *testing.T, s *tts.VoiceShelf, name string) {
	t.Helper()
	from := t.TempDir()
	for _, ext := range []string{".onnx", ".onnx.json"} {
		b, err := os.ReadFile("../../engine/voice/testdata/tiny" + ext)
		if err == nil {
			err = os.WriteFile(filepath.Join(from, name+ext), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Folder.InstallModel(from, name, nil); err != nil {
		t.Fatal(err)
	}
}

// TestCharacterVoiceNeedsNoProgram speaks with a voice that reads characters, without espeak-ng, and names what it can't
// say.
func TestCharacterVoiceNeedsNoProgram(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	if _, err := s.Folder.InstallModel("../../engine/voice/testdata/characters", "reads", nil); err != nil {
		t.Fatal(err)
	}
	c := newChain(t, tts.ChainOptions{Neural: s})
	sound, err := c.Speak(t.Context(), tts.SpeechRequest{Text: "موعدكم 2026-12-03 الساعة 10:30، هل يناسبكم؟", Voice: "reads"})
	if err != nil || sound.Source != tts.Neural || len(sound.PCM) < tts.Rate || len(sound.Wide) != 2*len(sound.PCM) {
		t.Errorf("%d samples of %v, %v", len(sound.PCM), sound.Source, err)
	}
	var lacking *tts.UnspokenError
	if err := c.StartCheck(tts.SpeechRequest{Voice: "reads"})(t.Context(), "أهلا 中"); !errors.As(err, &lacking) || lacking.Phonemes[0] != "中" {
		t.Errorf("a Chinese letter: %v", err)
	}
}

// TestNeuralVoiceSpeaks checks who speaks: a voice that is named speaks everything, the selected one what has no
// recording, and a name that is not installed changes nothing.
func TestNeuralVoiceSpeaks(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "one", "two")
	c := newChain(t, tts.ChainOptions{Neural: s, ESpeak: "espeak-ng"})
	const recorded = "شكرا جزيلا مع السلامة"
	for _, want := range []struct {
		text, voice string
		source      tts.VoiceSource
	}{
		{unknown, "", tts.ESpeak},
		{unknown, "one", tts.Neural},
		{recorded, "one", tts.Neural},
		{recorded, "", tts.Recorded},
		{unknown, "gone", tts.ESpeak},
		{unknown, "../one", tts.ESpeak},
		{"موعدك مع Dr. Smith الساعة 10:30", "two", tts.Neural},
	} {
		r := tts.SpeechRequest{Text: want.text, Voice: want.voice}
		sound, err := c.Speak(t.Context(), r)
		if err != nil || sound.Source != want.source || len(sound.PCM) < tts.Rate/10 {
			t.Errorf("%s by %q: %d samples of %s, %v", want.text, want.voice, len(sound.PCM), sound.Source, err)
		}
		if sound.Source == tts.Neural && len(sound.Wide) != 2*len(sound.PCM) {
			t.Errorf("%d samples of wideband sound for %d", len(sound.Wide), len(sound.PCM))
		}
		if found := c.FindVoice(t.Context(), r); found != want.source {
			t.Errorf("%s by %q: the voice is foretold as %s", want.text, want.voice, found)
		}
	}
	if err := s.Folder.UseModel("two"); err != nil {
		t.Fatal(err)
	}
	if sound := speakText(t, c, "", unknown); sound.Source != tts.Neural {
		t.Errorf("the selected voice does not speak, but %s", sound.Source)
	}
	if sound := speakText(t, c, "", recorded); sound.Source != tts.Recorded {
		t.Errorf("a recording is spoken by %s", sound.Source)
	}
	preferred := newChain(t, tts.ChainOptions{Neural: s, NeuralVoice: "one", ESpeak: "espeak-ng"})
	var ids []string
	for _, v := range preferred.ListVoices() {
		ids = append(ids, v.ID)
	}
	if !slices.Equal(ids, []string{"default", "recorded", "one", "two", "espeak-ng"}) {
		t.Errorf("listed: %q", ids)
	}
}

// TestDamagedVoiceDoesNotSpeak: a voice with a damaged file counts as not installed, also for who names it: others
// speak, as is foretold, and no line is lost.
func TestDamagedVoiceDoesNotSpeak(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "one", "two")
	c := newChain(t, tts.ChainOptions{Neural: s, NeuralVoice: "one", ESpeak: "espeak-ng"})
	if err := s.Folder.UseModel("two"); err != nil {
		t.Fatal(err)
	}
	speakers := func() (named, unnamed tts.VoiceSource) {
		for _, at := range []*tts.VoiceSource{&named, &unnamed} {
			r := tts.SpeechRequest{Text: unknown}
			if at == &named {
				r.Voice = "one"
			}
			sound, err := c.Speak(t.Context(), r)
			if *at = sound.Source; err != nil || c.FindVoice(t.Context(), r) != sound.Source {
				t.Errorf("%+v is spoken by %q, foretold %q, %v", r, sound.Source, c.FindVoice(t.Context(), r), err)
			}
		}
		return named, unnamed
	}
	if named, unnamed := speakers(); named != tts.Neural || unnamed != tts.Neural {
		t.Fatalf("intact: %q, %q", named, unnamed)
	}
	graph := filepath.Join(s.Folder.Folder("one"), "one.onnx")
	if err := os.Truncate(graph, 1000); err != nil {
		t.Fatal(err)
	}
	if named, unnamed := speakers(); named != tts.ESpeak || unnamed != tts.Neural || !slices.Equal(s.VoiceNames(), []string{"two"}) {
		t.Errorf("damaged: %q, %q; of %q", named, unnamed, s.VoiceNames())
	}
}

// TestNeuralVoicesAtOnce checks that calls with different voices speak at the same time, that more voices than stay open
// can speak, and that one that is removed is not used any more.
func TestNeuralVoicesAtOnce(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "one", "two", "three", "four")
	c := newChain(t, tts.ChainOptions{Neural: s, ESpeak: "espeak-ng"})
	var calls sync.WaitGroup
	for _, text := range []string{unknown, "الطقس جميل اليوم"} {
		for _, name := range []string{"one", "two"} {
			calls.Go(func() {
				sound, err := c.Speak(t.Context(), tts.SpeechRequest{Text: text, Voice: name})
				if err != nil || sound.Source != tts.Neural {
					t.Errorf("%s by %s: %s, %v", text, name, sound.Source, err)
				}
			})
		}
	}
	calls.Wait()
	for _, name := range []string{"three", "four"} {
		if sound, err := c.Speak(t.Context(), tts.SpeechRequest{Text: unknown, Voice: name}); err != nil || sound.Source != tts.Neural {
			t.Errorf("by %s: %s, %v", name, sound.Source, err)
		}
	}
	if err := s.Folder.Remove("one"); err != nil {
		t.Fatal(err)
	}
	if sound, err := c.Speak(t.Context(), tts.SpeechRequest{Text: unknown, Voice: "one"}); err != nil || sound.Source != tts.ESpeak {
		t.Errorf("after its removal: %s, %v", sound.Source, err)
	}
}

// TestNeuralSpeechIsKept checks that what a voice has spoken is kept on disk by voice and text, and not used for another
// voice of the same name.
func TestNeuralSpeechIsKept(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "one")
	o := tts.ChainOptions{Neural: s, NeuralCache: t.TempDir(), ESpeak: "espeak-ng"}
	r := tts.SpeechRequest{Text: unknown, Voice: "one"}
	first, err := newChain(t, o).Speak(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	s.OpenVoice = func(string) (*voice.NeuralVoice, error) { return nil, errors.New("opened again") }
	s.CloseVoices()
	kept, err := newChain(t, o).Speak(t.Context(), r)
	if err != nil || len(kept.PCM) != len(first.PCM) {
		t.Errorf("%d samples, want %d; %v", len(kept.PCM), len(first.PCM), err)
	}
	config := filepath.Join(s.Folder.Folder("one"), "one.onnx.json")
	changed, err := os.ReadFile(config)
	if err == nil {
		err = errors.Join(os.WriteFile(config, append(changed, '\n'), 0o600), os.Remove(filepath.Join(s.Folder.Folder("one"), "munadi.sha256")))
	}
	if err == nil {
		err = models.RecordChecksums(s.Folder.Folder("one"))
	}
	if err != nil {
		t.Fatal(err)
	}
	told := ""
	o.Trouble = func(_ tts.VoiceSource, err error) { told = err.Error() }
	if _, err := newChain(t, o).Speak(t.Context(), r); !errors.Is(err, tts.ErrVoiceFailed) || !strings.Contains(told, "opened again") {
		t.Errorf("another voice of the name: %v, %s", err, told)
	}
}

// TestWhatNeuralVoicesCannotSay checks that it is found without synthesis, and named.
func TestWhatNeuralVoicesCannotSay(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "one")
	c := newChain(t, tts.ChainOptions{Neural: s, ESpeak: writeScript(t, `case $* in *--stdout*) exit 3;; esac; cat`), Trouble: func(tts.VoiceSource, error) {}})
	check := func(text string) error {
		return c.StartCheck(tts.SpeechRequest{Voice: "one"})(t.Context(), text)
	}
	if err := check("abc"); err != nil { // the program gives back the letters as phonemes
		t.Error(err)
	}
	var lacking *tts.UnspokenError
	if err := check("abc 中 def"); !errors.As(err, &lacking) || !errors.Is(err, tts.ErrNoVoice) || !slices.Equal(lacking.Phonemes, []string{"中"}) {
		t.Errorf("a character without a phoneme: %v", err)
	}
	if err := check("中"); !errors.As(err, &lacking) || !strings.Contains(err.Error(), "makes no sound") && len(lacking.Phonemes) == 0 {
		t.Errorf("no sound at all: %v", err)
	}
	if err := check("…"); !errors.Is(err, tts.ErrNoVoice) {
		t.Errorf("no word: %v", err)
	}
	if err := check(strings.Repeat("abc ", 2500)); !errors.Is(err, tts.ErrNoVoice) {
		t.Errorf("ten thousand characters: %v", err)
	}
}

// TestChecksAreOfOneMoment checks that a booking's check keeps the voices that it began with, and that the next one has
// the voice that was selected meanwhile.
func TestChecksAreOfOneMoment(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "one")
	c := newChain(t, tts.ChainOptions{Neural: s, ESpeak: writeScript(t, `case $* in *--stdout*) exit 3;; esac; cat`), Trouble: func(tts.VoiceSource, error) {}})
	before := c.StartCheck(tts.SpeechRequest{})
	if err := s.Folder.UseModel("one"); err != nil {
		t.Fatal(err)
	}
	if err := c.StartCheck(tts.SpeechRequest{})(t.Context(), "abc"); err != nil {
		t.Errorf("the selected voice does not count for the next check: %v", err)
	}
	if err := before(t.Context(), "abc"); !errors.Is(err, tts.ErrVoiceFailed) {
		t.Errorf("a check that had begun without a voice: %v", err)
	}
	if err := s.Folder.UseModel(""); err != nil {
		t.Fatal(err)
	}
	if err := c.StartCheck(tts.SpeechRequest{})(t.Context(), "abc"); !errors.Is(err, tts.ErrVoiceFailed) {
		t.Errorf("the voice that is selected no more still counts: %v", err)
	}
}

// TestNeuralVoiceWithoutESpeak checks that the missing program is named.
func TestNeuralVoiceWithoutESpeak(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "one")
	told := make(chan error, 1)
	c := newChain(t, tts.ChainOptions{Neural: s, ESpeak: "none", Trouble: func(_ tts.VoiceSource, err error) { told <- err }})
	_, err := c.Speak(t.Context(), tts.SpeechRequest{Text: unknown, Voice: "one"})
	if !errors.Is(err, tts.ErrVoiceFailed) {
		t.Errorf("error %v", err)
	}
	if why := <-told; !strings.Contains(why.Error(), "install the package espeak-ng") {
		t.Errorf("told %v", why)
	}
}

// TestNeuralSpeechInParts checks that a voice whose loudness is known passes a long text on in parts that are the whole:
// as long, as loud, in both rates; and that nothing is passed on of a text that is kept already.
func TestNeuralSpeechInParts(t *testing.T) {
	t.Parallel()
	c := newChain(t, tts.ChainOptions{Neural: newShelf(t, "one"), ESpeak: "espeak-ng"})
	speak := func(text string) (whole tts.SpokenSound, came tts.StreamedParts, parts int) {
		t.Helper()
		r := tts.SpeechRequest{Text: text, Voice: "one", Stream: tts.NewStream()}
		whole, err := c.Speak(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-r.Stream.Changed():
			parts = 1
		default:
		}
		return whole, r.Stream.TakeParts(), parts
	}
	if _, _, parts := speak("كلام يقاس به الصوت"); parts > 0 {
		t.Error("parts of a voice whose loudness is not known")
	}
	const long = "هذه جملة طويلة لا تسجيل لها. وهذه جملة ثانية تتبعها بعد سكتة قصيرة، وفيها كلام كثير."
	whole, came, parts := speak(long)
	if parts == 0 || !came.Ended || came.Err != nil || came.Sound.Source != tts.Neural {
		t.Fatalf("it came in parts: %d, ended %t, %v", parts, came.Ended, came.Err)
	}
	if n := len(came.Sound.PCM); n < len(whole.PCM)-2 || n > len(whole.PCM)+2 || len(came.Sound.Wide) != 2*n {
		t.Errorf("%d and %d samples, want %d", n, len(came.Sound.Wide), len(whole.PCM))
	}
	if ratio := energyOf(came.Sound.PCM) / energyOf(whole.PCM); ratio < 0.5 || ratio > 2 {
		t.Errorf("the parts have %.2f times the energy of the whole", ratio)
	}
	if again, _, parts := speak(long); parts > 0 || len(again.PCM) != len(whole.PCM) {
		t.Errorf("kept speech came in parts (%d), %d samples", parts, len(again.PCM))
	}
}

func energyOf(pcm []int16) float64 {
	sum := 0.0
	for _, v := range pcm {
		sum += float64(v) * float64(v)
	}
	return sum
}

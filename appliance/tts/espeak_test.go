package tts_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/appliance/tts"
)

func TestESpeakSpeaksWhatIsLeft(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("espeak-ng"); err != nil {
		t.Skip("espeak-ng is not installed")
	}
	c := newChain(t, tts.ChainOptions{ESpeak: "espeak-ng"})
	for _, said := range []string{unknown, "good morning", "-h", "مئة ريال"} {
		s := speakText(t, c, "", said)
		if s.Source != tts.ESpeak || len(s.PCM) < tts.Rate/10 {
			t.Errorf("%q: %d samples by %s", said, len(s.PCM), s.Source)
		}
	}
	if s := speakText(t, c, "", "شكرا جزيلا مع السلامة"); s.Source != tts.Recorded {
		t.Errorf("a recorded prompt is spoken by %s", s.Source)
	}
}

// writeScript writes a script in place of espeak-ng.
func writeScript(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "espeak-ng")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestABrokenProgramIsPassedOver(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"fails":    "exit 3",
		"garbage":  "echo not a WAV file",
		"nothing":  "cat >/dev/null",
		"too much": "cat /dev/zero",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			told := make(chan error, 8)
			c := newChain(t, tts.ChainOptions{ESpeak: writeScript(t, body), Trouble: func(_ tts.VoiceSource, err error) { told <- err }})
			if s := speakText(t, c, "", "مئة ريال"); s.Source != tts.Blocks {
				t.Errorf("spoken by %s", s.Source)
			}
			if _, err := c.Speak(t.Context(), tts.SpeechRequest{Text: unknown}); !errors.Is(err, tts.ErrNoVoice) {
				t.Errorf("%v, want ErrNoVoice", err)
			}
			if len(told) != 2 {
				t.Errorf("told %d times, want twice", len(told))
			}
		})
	}
}

// The program gets the text by standard input, with the marks of the words that we know, and none of our secrets.
func TestWhatESpeakIsGiven(t *testing.T) {
	t.Setenv("MUNADI_SPEECH_KEY", "secret")
	out := filepath.Join(t.TempDir(), "given")
	c := newChain(t, tts.ChainOptions{
		ESpeak:  writeScript(t, `{ echo "$@"; cat; echo; env; } >`+out+`; exit 1`),
		Trouble: func(tts.VoiceSource, error) {},
	})
	_, _ = c.Speak(t.Context(), tts.SpeechRequest{Text: "معكم الدكتور سليم، يوم الخميس"})
	given, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(given), "\n")
	if !strings.Contains(lines[0], "-v ar ") || lines[1] != "مَعَكُمُ الدُّكْتُورِ سليم، يَوْمُ الخَمِيسِ" {
		t.Errorf("it was given %q", lines[:2])
	}
	if strings.Contains(string(given), "MUNADI") {
		t.Error("it was given our environment")
	}
}

// TestOrganizationsTakeTurns: an organization with many sentences to speak does not hold up another one's.
func TestOrganizationsTakeTurns(t *testing.T) {
	t.Parallel()
	said := filepath.Join(t.TempDir(), "said")
	c := newChain(t, tts.ChainOptions{
		ESpeak: writeScript(t, "cat >>"+said+"; echo >>"+said+"; sleep 0.2; exit 3"), Trouble: func(tts.VoiceSource, error) {},
	})
	var all sync.WaitGroup
	say := func(org, text string) {
		all.Go(func() { _, _ = c.Speak(t.Context(), tts.SpeechRequest{OrgID: org, Text: text}) })
	}
	for i := range 10 {
		say("many", fmt.Sprintf("%s %c", unknown, 'a'+i))
	}
	for b, _ := os.ReadFile(said); len(b) == 0; b, _ = os.ReadFile(said) { // until the first is spoken
		time.Sleep(time.Millisecond)
	}
	say("other", unknown)
	all.Wait()
	order, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	spoken := strings.Split(strings.TrimSpace(string(order)), "\n")
	at := slices.IndexFunc(spoken, func(line string) bool { return !strings.ContainsAny(line, "abcdefghij") })
	if len(spoken) != 11 || at < 0 || at > 7 {
		t.Errorf("the other organization's sentence is number %d of %d", at, len(spoken))
	}
}

package whole_test

import (
	"bytes"
	le "encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"munadi/engine/audio"
)

// rawPCM returns a bundled recording as raw pcm16 at a sample rate.
func rawPCM(t testing.TB, name string, rate int) []byte {
	t.Helper()
	samples, err := audio.DecodeAll(t.Context(), bytes.NewReader(demoSample(t, name)), audio.DecodeOptions{})
	mustSucceed(t, err)
	r := audio.NewResampler(audio.Rate, rate)
	var out []byte
	for _, v := range r.Flush(r.Push(nil, samples)) {
		out = le.LittleEndian.AppendUint16(out, uint16(int16(max(-1, min(v, 1))*32767)))
	}
	return out
}

// liveSession is the output of a client for one session.
type liveSession struct {
	Created, Updated []any
	Heard            struct {
		Types  []string
		Deltas map[string]string
		Texts  map[string]string
		Order  [][]*string
		Usage  []float64
		Spans  [][]int
		Error  string
	}
}

// tellsOf runs a client's program and decodes its JSON output.
func tellsOf(t *testing.T, cmd *exec.Cmd, out any) {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	said, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	mustSucceed(t, json.Unmarshal(said, out))
}

// TestOpenAIRealtimePython checks live transcription by OpenAI's client for Python: with the current protocol and
// server turn detection, and with the beta protocol and client commits.
func TestOpenAIRealtimePython(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	python := filepath.Join(project, ".cache/venv/bin/python")
	if exec.Command(python, "-c", "import openai, websockets").Run() != nil {
		skipOrFail(t, "OpenAI's Python client with websockets is not in .cache/venv: make test installs it")
	}
	recording := filepath.Join(t.TempDir(), "order.pcm")
	mustSucceed(t, os.WriteFile(recording, rawPCM(t, "order.flac", 24000), 0o600))
	for _, root := range []string{"/compat/v1", "/v1"} {
		t.Run(root, func(t *testing.T) { checkRealtimePython(t, python, root, recording) })
	}
}

func checkRealtimePython(t *testing.T, python, root, recording string) {
	t.Helper()
	a := sharedInstance(t)
	cmd := exec.Command(python, "testdata/openai_realtime.py", a.URL+root, bootstrapKey, recording)
	var out struct {
		Present, Beta  liveSession
		Error, Refused []any
	}
	tellsOf(t, cmd, &out)
	text, _ := a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac"))).wantStatus(t, 200).jsonBody(t)["text"].(string)

	present := out.Present
	wantList(t, present.Created, "session.created", "SessionCreatedEvent", "transcription")
	wantList(t, present.Updated, "session.updated", "transcription", 500.0)
	present.checkTurns(t, text)

	beta := out.Beta
	wantList(t, beta.Created, "transcription_session.created")
	wantList(t, beta.Updated, "transcription_session.updated", "TranscriptionSessionUpdatedEvent", "pcm16")
	beta.checkCommitted(t, text)
	wantList(t, out.Error, "error", "invalid_request_error", "invalid_value", "type", "mine")
	wantList(t, out.Refused, "InvalidStatus", 401.0)
}

// checkTurns expects the two items that server turn detection makes of a recording with that text.
func (s liveSession) checkTurns(t *testing.T, text string) {
	t.Helper()
	if len(s.Heard.Order) != 2 || s.Heard.Order[0][0] != nil || *s.Heard.Order[1][0] != *s.Heard.Order[0][1] {
		t.Errorf("items are not in a chain: %v", s.Heard.Order)
	}
	for i, item := range s.Heard.Order {
		words, span := s.Heard.Texts[*item[1]], s.Heard.Spans[i]
		if words == "" || !strings.Contains(text, strings.Fields(words)[0]) {
			t.Errorf("item %d is %q, which the file's text lacks: %s", i, words, text)
		}
		if s.Heard.Deltas[*item[1]] != words {
			t.Errorf("deltas %q of %q", s.Heard.Deltas[*item[1]], words)
		}
		if len(span) != 2 || span[1]-span[0] < 500 || float64(span[1]-span[0]) < s.Heard.Usage[i]*1000 {
			t.Errorf("item %d lasts %v ms and is billed %v s", i, span, s.Heard.Usage[i])
		}
	}
	turn := []string{
		"input_audio_buffer.speech_started", "input_audio_buffer.speech_stopped", "input_audio_buffer.committed",
		"conversation.item.added", "conversation.item.done", "conversation.item.input_audio_transcription.completed",
	}
	if got := withoutWord(s.Heard.Types, ".delta"); !slices.Equal(got, append(slices.Clone(turn), turn...)) {
		t.Errorf("events %v", got)
	}
}

// checkCommitted expects the one item of a client that commits, in the beta protocol.
func (s liveSession) checkCommitted(t *testing.T, text string) {
	t.Helper()
	if got := withoutWord(s.Heard.Types, ".delta"); !slices.Equal(got, []string{
		"input_audio_buffer.committed", "conversation.item.created", "conversation.item.input_audio_transcription.completed",
	}) {
		t.Errorf("events of the beta %v", got)
	}
	for _, committed := range s.Heard.Texts {
		if missed := countMissingWords(text, committed); missed > 2 { // resampling can change a word
			t.Errorf("committed at once it is %q, as a file %q", committed, text)
		}
	}
}

func withoutWord(list []string, suffix string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return strings.HasSuffix(s, suffix) })
}

// countMissingWords counts the words of a that are not in b.
func countMissingWords(a, b string) (n int) {
	for _, w := range strings.Fields(a) {
		if !slices.Contains(strings.Fields(b), w) {
			n++
		}
	}
	return n
}

func wantList(t testing.TB, got []any, want ...any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

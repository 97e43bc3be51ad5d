package whole_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// streamEvent is an event of a streamed transcription.
type streamEvent struct {
	Type  string
	Delta string
	Text  string
	Usage struct {
		Type    string
		Seconds int
	}

	raw map[string]any
	at  time.Time
}

// readStream sends a form and reads events to the end of the answer.
func (a *testInstance) readStream(t testing.TB, parts ...requestPart) []streamEvent {
	t.Helper()
	res, err := http.DefaultClient.Do(newRequest(parts).newHTTPRequest(t, http.MethodPost, a.URL+transcriptions))
	mustSucceed(t, err)
	defer res.Body.Close()
	kind := res.Header.Get("Content-Type")
	if res.StatusCode != 200 || !strings.HasPrefix(kind, "text/event-stream") {
		t.Fatalf("%d %s", res.StatusCode, kind)
	}
	events, err := eventsOf(res.Body)
	mustSucceed(t, err)
	return events
}

// eventsOf parses server-sent events (WHATWG): data lines, an empty line after each event, comments.
func eventsOf(body io.Reader) ([]streamEvent, error) {
	var out []streamEvent
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		switch {
		case ok:
			e := streamEvent{at: time.Now()}
			if err := errors.Join(json.Unmarshal([]byte(data), &e), json.Unmarshal([]byte(data), &e.raw)); err != nil {
				return nil, err
			}
			out = append(out, e)
		case lines.Text() != "" && !strings.HasPrefix(lines.Text(), ":"):
			return nil, fmt.Errorf("a line that is no data: %q", lines.Text())
		}
	}
	return out, lines.Err()
}

// TestStream checks the deltas and the done event; joined they are the final text, which equals that of the plain
// answer.
func TestStream(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	sound := withFile(demoSample(t, "order.flac"))
	want := a.postForm(t, transcriptions, sound).wantStatus(t, 200).jsonBody(t)
	for name, wish := range map[string]requestPart{
		"field": withField("stream", "true"), "word": withField("stream", "on"), "number": withField("stream", "1"),
		"header": withHeader("Accept", "text/event-stream"), "one of several": withHeader("Accept", "application/json;q=0.5, text/event-stream"),
	} {
		events := a.readStream(t, sound, wish)
		joined := ""
		for i, e := range events[:len(events)-1] {
			wantKeys(t, name, e.raw, "type delta")
			if e.Type != "transcript.text.delta" || e.Delta == "" {
				t.Errorf("%s: event %d is %+v", name, i, e.raw)
			}
			joined += e.Delta
		}
		last := events[len(events)-1]
		wantKeys(t, name, last.raw, "type text usage")
		if last.Type != "transcript.text.done" || last.Text != joined || joined != want["text"] || len(events) < 5 {
			t.Errorf("%s: %d events, joined %q, done %q, plain %q", name, len(events), joined, last.Text, want["text"])
		}
		if last.Usage.Type != "duration" || last.Usage.Seconds != 16 {
			t.Errorf("%s: usage %+v", name, last.Usage)
		}
	}
	for _, no := range []requestPart{withHeader("Accept", "*/*"), withHeader("Accept", "text/event-stream;q=0"), withField("stream", "false")} {
		if got := a.postForm(t, transcriptions, sound, no).wantStatus(t, 200); got.jsonBody(t)["text"] != want["text"] {
			t.Error(got)
		}
	}
}

// TestStreamBeginsEarly checks that the first event of a long recording arrives long before the last.
func TestStreamBeginsEarly(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	recording := encodeWAV(t, repeatedRecording(t, demoSample(t, "order.flac"), 240))
	asked := time.Now()
	events := a.readStream(t, withFile(recording), withField("stream", "true"))
	first, whole := events[0].at.Sub(asked), events[len(events)-1].at.Sub(asked)
	t.Logf("four minutes of audio: first text after %v, all after %v, %d events", first, whole, len(events))
	if first > whole/2 {
		t.Errorf("the first piece came after %v of %v", first, whole)
	}
}

// TestStreamRefusesPlainly checks that errors before the first event are ordinary answers.
func TestStreamRefusesPlainly(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	stream := withField("stream", "true")
	a.postForm(t, transcriptions, stream, withKey("")).wantStatus(t, 401).failureDetail(t)
	a.postForm(t, transcriptions, stream).violationEntries(t)
	v := a.postForm(t, transcriptions, stream, withFile([]byte("no sound at all"))).violationEntries(t)[0]
	if v.Type != "audio_decode_error" {
		t.Errorf("%+v", v)
	}
}

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

// event is one of a streamed transcription.
type event struct {
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

// stream sends a form and reads events to the end of the answer.
func (a *instance) stream(t testing.TB, parts ...part) []event {
	t.Helper()
	res, err := http.DefaultClient.Do(newRequest(parts).build(t, http.MethodPost, a.URL+transcriptions))
	must(t, err)
	defer res.Body.Close()
	kind := res.Header.Get("Content-Type")
	if res.StatusCode != 200 || !strings.HasPrefix(kind, "text/event-stream") {
		t.Fatalf("%d %s", res.StatusCode, kind)
	}
	events, err := eventsOf(res.Body)
	must(t, err)
	return events
}

// eventsOf takes a stream apart as WHATWG says: lines of data, an empty line behind each event, comments.
func eventsOf(body io.Reader) ([]event, error) {
	var out []event
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		switch {
		case ok:
			e := event{at: time.Now()}
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

// TestStream: deltas in order, then done; joined they are the final text, which is the plain answer's.
func TestStream(t *testing.T) {
	t.Parallel()
	a := shared(t)
	sound := file(sample(t, "order.flac"))
	want := a.post(t, transcriptions, sound).want(t, 200).object(t)
	for name, wish := range map[string]part{
		"field": field("stream", "true"), "word": field("stream", "on"), "number": field("stream", "1"),
		"header": header("Accept", "text/event-stream"), "one of several": header("Accept", "application/json;q=0.5, text/event-stream"),
	} {
		events := a.stream(t, sound, wish)
		joined := ""
		for i, e := range events[:len(events)-1] {
			keys(t, name, e.raw, "type delta")
			if e.Type != "transcript.text.delta" || e.Delta == "" {
				t.Errorf("%s: event %d is %+v", name, i, e.raw)
			}
			joined += e.Delta
		}
		last := events[len(events)-1]
		keys(t, name, last.raw, "type text usage")
		if last.Type != "transcript.text.done" || last.Text != joined || joined != want["text"] || len(events) < 5 {
			t.Errorf("%s: %d events, joined %q, done %q, plain %q", name, len(events), joined, last.Text, want["text"])
		}
		if last.Usage.Type != "duration" || last.Usage.Seconds != 16 {
			t.Errorf("%s: usage %+v", name, last.Usage)
		}
	}
	for _, no := range []part{header("Accept", "*/*"), header("Accept", "text/event-stream;q=0"), field("stream", "false")} {
		if got := a.post(t, transcriptions, sound, no).want(t, 200); got.object(t)["text"] != want["text"] {
			t.Error(got)
		}
	}
}

// TestStreamBeginsEarly: the first piece of a long recording is there long before the last.
func TestStreamBeginsEarly(t *testing.T) {
	t.Parallel()
	a := shared(t)
	recording := wav(t, repeated(t, sample(t, "order.flac"), 240))
	asked := time.Now()
	events := a.stream(t, file(recording), field("stream", "true"))
	first, whole := events[0].at.Sub(asked), events[len(events)-1].at.Sub(asked)
	t.Logf("four minutes of audio: first text after %v, all after %v, %d events", first, whole, len(events))
	if first > whole/2 {
		t.Errorf("the first piece came after %v of %v", first, whole)
	}
}

// TestStreamRefusesPlainly: what is wrong before the first piece is an ordinary answer.
func TestStreamRefusesPlainly(t *testing.T) {
	t.Parallel()
	a := shared(t)
	stream := field("stream", "true")
	a.post(t, transcriptions, stream, key("")).want(t, 401).detail(t)
	a.post(t, transcriptions, stream).violations(t)
	v := a.post(t, transcriptions, stream, file([]byte("no sound at all"))).violations(t)[0]
	if v.Type != "audio_decode_error" {
		t.Errorf("%+v", v)
	}
}

package engine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// openCached opens the small cache-aware model of random weights, with one of its contexts as the usual one.
func openCached(t testing.TB, usual int) *Engine {
	t.Helper()
	dir := t.TempDir()
	if err := ImportCheckpoint("model/testdata/checkpoints/cached.nemo", dir, ImportOptions{Name: "cached"}); err != nil {
		t.Fatal(err)
	}
	var description map[string]any
	file := filepath.Join(dir, "munadi.json")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &description); err != nil {
		t.Fatal(err)
	}
	contexts := description["streaming"].(map[string]any)["contexts"].([]any)
	contexts[0], contexts[usual] = contexts[usual], contexts[0]
	if b, err = json.Marshal(description); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := OpenDir(dir, testConfig(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// With each context, the text of a stream with caches is that of whole turns with that context; the last partial text
// is its beginning.
func TestCachedStreamHearsWhatWholeTurnsHear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	samples := conversationClip(t, 6)
	said := map[string]bool{}
	for i, latency := range []time.Duration{240e6, 480e6, 160e6, 80e6} {
		e := openCached(t, i)
		if got := e.LiveLatencies(); got[0] != latency {
			t.Fatalf("latencies %v", got)
		}
		want := onlyText(pushLive(t, openStream(t, e, StreamOptions{}), samples), Final)
		other := openCached(t, 0)
		events := pushLive(t, openStream(t, other, StreamOptions{Partial: 128 * time.Millisecond, Latency: latency}), samples)
		got := onlyText(events, Final)
		if len(got) != len(want) || len(got) < 6 {
			t.Fatalf("%d turns, want %d", len(got), len(want))
		}
		for i := range got {
			if got[i].Text != want[i].Text || got[i].Start != want[i].Start || len(got[i].Words) != len(want[i].Words) {
				t.Errorf("latency %v, turn %d: %q, want %q", latency, i, got[i].Text, want[i].Text)
			}
			said[got[i].Text] = true
		}
		checkPartials(t, events)
	}
	if len(said) < 8 {
		t.Errorf("the turns' texts are only %d", len(said))
	}
}

// checkPartials checks that partial texts only grow up to the final text: greedy search retracts nothing.
func checkPartials(t *testing.T, events []StreamEvent) {
	t.Helper()
	partials, last := 0, ""
	for _, e := range events {
		switch e.Type {
		case SpeechStarted:
			last = ""
		case Partial, Final:
			if !strings.HasPrefix(e.Text, last) {
				t.Errorf("%s %q after %q", e.Type, e.Text, last)
			}
			if last = e.Text; e.Type == Partial {
				partials++
			}
		}
	}
	if partials < 12 {
		t.Errorf("%d texts so far", partials)
	}
}

// A turn that is longer than one decoding is settled part by part; a model change in the middle loses nothing.
func TestCachedStreamOfALongTurn(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	e := openCached(t, 0)
	var speech []float32
	for range 8 {
		s := conversationClip(t, 1)
		speech = append(speech, s[sampleRate:len(s)-sampleRate]...)
	}
	for len(speech) < 40*sampleRate {
		speech = append(speech, speech...)
	}
	speech = append(speech[:40*sampleRate], make([]float32, 3*sampleRate)...)
	o := StreamOptions{Partial: 400 * time.Millisecond, EndSilence: 2 * time.Second}
	s := openStream(t, e, o)
	events := pushLive(t, s, speech)
	finals := onlyText(events, Final)
	if len(finals) != 1 || finals[0].End < 35 {
		t.Fatalf("%+v", finals)
	}
	got := finals[0].Words
	whole := onlyText(pushLive(t, openStream(t, e, StreamOptions{EndSilence: 2 * time.Second}), speech), Final)[0].Words
	for i := range 6 { // both cut the turn in the same silence; the following words have another context
		if got[i].Text != whole[i].Text || got[i].Start != whole[i].Start {
			t.Errorf("word %d is %+v, without caches %+v", i, got[i], whole[i])
		}
	}
	if got[len(got)-1].End < 35 {
		t.Errorf("the last word ends at %v s", got[len(got)-1].End)
	}
	s = openStream(t, e, o)
	half := pushLive(t, s, speech[:20*sampleRate])
	if err := s.SwitchEngine(openCached(t, 0)); err != nil {
		t.Fatal(err)
	}
	if again := onlyText(append(half, pushLive(t, s, speech[20*sampleRate:])...), Final); len(again) == 0 {
		t.Error("no final text after the model changed")
	}
}

func TestObserverOfACachedStreamChangesNoFinal(t *testing.T) {
	e := openCached(t, 0)
	samples := conversationClip(t, 3)
	want := onlyText(pushLive(t, openStream(t, e, StreamOptions{}), samples), Final)
	s := openStream(t, e, StreamOptions{})
	s.SetPartialInterval(200 * time.Millisecond)
	got := onlyText(pushLive(t, s, samples), Final)
	for i := range want {
		if got[i].Text != want[i].Text {
			t.Errorf("turn %d: %q, want %q", i, got[i].Text, want[i].Text)
		}
	}
}

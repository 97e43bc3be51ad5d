package engine

import (
	"testing"
	"time"
)

// TestShowChangesNoFinal: partial results do not change the final text, also in a turn
// that is cut.
func TestShowChangesNoFinal(t *testing.T) {
	e := openTest(t)
	samples := conversationClip(t, 3)
	want := onlyText(pushLive(t, openStream(t, e, StreamOptions{}), samples), Final)
	s := openStream(t, e, StreamOptions{})
	s.SetPartialInterval(200 * time.Millisecond)
	shown := pushLive(t, s, samples)
	if len(onlyText(shown, Partial)) == 0 {
		t.Error("nothing is shown")
	}
	got := onlyText(shown, Final)
	if len(got) != len(want) {
		t.Fatalf("%d turns, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i].Text != want[i].Text || got[i].Start != want[i].Start {
			t.Errorf("turn %d: %q, want %q", i, got[i].Text, want[i].Text)
		}
	}
}

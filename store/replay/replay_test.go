package replay_test

import (
	"testing"
	"time"

	"munadi/store/replay"
)

var start = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

func newBoard(ids ...string) (b replay.Board) {
	for _, id := range ids {
		b.AddReplay(replay.Replay{ID: id})
	}
	return b
}

// TestReplaysTakeTurns: running replays are claimed in turn, a claimed one by nobody else until the claim expires.
func TestReplaysTakeTurns(t *testing.T) {
	t.Parallel()
	b := newBoard("one", "two", "three")
	b.FindReplay("two").PauseReplay()
	for _, c := range []struct{ after, want string }{{"", "one"}, {"one", "three"}} {
		if r, ok := b.ClaimReplay(c.after, "a", false, start); !ok || r.ID != c.want {
			t.Errorf("after %q: %+v, %v", c.after, r, ok)
		}
	}
	if r, ok := b.ClaimReplay("", "b", false, start.Add(replay.ClaimTime-1)); ok {
		t.Errorf("claimed twice: %+v", r)
	}
	if r, ok := b.ClaimReplay("", "b", true, start); !ok || r.ID != "one" {
		t.Errorf("alone: %+v, %v", r, ok)
	}
	if b.CountResult("one", "a", replay.Result{State: replay.Same}, start) || b.FinishPage("one", "a", "", start) {
		t.Error("a lost claim counts")
	}
	if r, ok := b.ClaimReplay("one", "c", false, start.Add(replay.ClaimTime)); !ok || r.ID != "three" {
		t.Errorf("expired: %+v, %v", r, ok)
	}
}

// TestReplayEnds: a replay goes on page by page, is paused in between, and ends with its last page.
func TestReplayEnds(t *testing.T) {
	t.Parallel()
	b := newBoard("one")
	b.ClaimReplay("", "a", false, start)
	b.CountResult("one", "a", replay.Result{State: replay.Skipped, Problem: replay.RecordingGone}, start)
	if !b.FinishPage("one", "a", "next", start) || b.FindReplay("one").Cursor != "next" {
		t.Errorf("%+v", b)
	}
	b.ClaimReplay("", "a", false, start)
	for range 2 { // the second time it is paused already
		if r := b.FindReplay("one"); !r.PauseReplay() || b.IsPending() {
			t.Errorf("%+v", r)
		}
	}
	if b.CountResult("one", "a", replay.Result{State: replay.Changed}, start) {
		t.Error("a paused replay counts")
	}
	if !b.FindReplay("one").ResumeReplay() {
		t.Error("not resumed")
	}
	b.ClaimReplay("", "a", false, start)
	b.CountResult("one", "a", replay.Result{State: replay.Changed}, start)
	b.FinishPage("one", "a", "", start)
	r := b.FindReplay("one")
	if r.State != replay.Done || r.EndedAt == nil || r.Counts.Replayed() != 2 || r.Counts.Problems[replay.RecordingGone] != 1 ||
		r.PauseReplay() || r.ResumeReplay() {
		t.Errorf("%+v", r)
	}
}

// TestBoardIsBounded: no replay is dropped for another.
func TestBoardIsBounded(t *testing.T) {
	t.Parallel()
	var b replay.Board
	for range replay.MaxReplays {
		if !b.AddReplay(replay.Replay{ID: replay.NewID()}) {
			t.Fatal("full too early")
		}
	}
	if b.AddReplay(replay.Replay{ID: "more"}) || !b.RemoveReplay(b.Replays[0].ID) || b.RemoveReplay("none") ||
		!b.AddReplay(replay.Replay{ID: "more"}) {
		t.Errorf("%d replays", len(b.Replays))
	}
}

// TestJudge: a result is changed by its report, its status or its number of turns.
func TestJudge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		r    replay.Result
		want replay.ResultState
	}{
		{replay.Result{OldStatus: "completed", NewStatus: "completed", OldTurns: 2, NewTurns: 2}, replay.Same},
		{replay.Result{OldTurns: 2, NewTurns: 1}, replay.Changed},
		{replay.Result{OldStatus: "completed", NewStatus: "failed"}, replay.Changed},
		{replay.Result{Report: []replay.Difference{{Name: "ok"}}}, replay.Changed},
	} {
		if c.r.Judge(); c.r.State != c.want {
			t.Errorf("%+v", c.r)
		}
	}
}

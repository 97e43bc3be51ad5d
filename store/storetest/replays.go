package storetest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/replay"
)

// addReplay adds a replay that the worker "me" has claimed.
func addReplay(t *testing.T, s store.Store, orgID, id string) {
	t.Helper()
	_, err := s.ChangeReplays(t.Context(), orgID, func(b *replay.Board) (store.AuditEntry, error) {
		b.AddReplay(replay.Replay{ID: id, CreatedAt: startTime()})
		b.FindReplay(id).Claim = "me"
		return store.AuditEntry{}, nil
	})
	wantCode(t, "ChangeReplays", err, "")
}

// testReplays: replays and results belong to their organization, a call counts once, and results go with its texts.
func testReplays(t *testing.T, s store.Store) {
	ctx, now := t.Context(), startTime()
	addOrganizations(t, s, "bakery", "airline")
	addReplay(t, s, "bakery", "one")
	addReplay(t, s, "bakery", "two")
	var ids []string
	for _, number := range []string{"+966500000001", "+966500000002"} {
		c := newCall("bakery", 0)
		c.PhoneNumber = number
		bookCalls(t, s, c)
		finishCall(t, s, c, call.Completed, now.Add(time.Hour))
		ids = append(ids, c.ID)
	}
	add := func(orgID, replayID, claim, callID string, state replay.ResultState) error {
		r := replay.Result{CallID: callID, State: state, Report: []replay.Difference{{Name: "ok", Old: "true", New: "false", At: 1.5}}}
		return s.AddReplayResult(ctx, orgID, replayID, claim, r, now)
	}
	for range 2 { // the second time nothing is counted
		wantCode(t, "AddReplayResult", errors.Join(
			add("bakery", "one", "me", ids[0], replay.Changed), add("bakery", "one", "me", ids[1], replay.Same),
			add("bakery", "two", "me", ids[0], replay.Changed)), "")
	}
	wantCode(t, "a lost claim", add("bakery", "two", "you", ids[1], replay.Same), store.CodeConflict)
	wantCode(t, "no replay", add("bakery", "three", "me", ids[1], replay.Same), store.CodeConflict)
	wantCode(t, "no call", add("bakery", "two", "me", call.NewID(), replay.Same), store.CodeNotFound)
	wantCode(t, "another organization's call", add("airline", "one", "me", ids[0], replay.Same), store.CodeNotFound)
	b, err := s.FindReplays(ctx, "bakery")
	wantCode(t, "FindReplays", err, "")
	if c := b.FindReplay("one").Counts; c.Changed != 1 || c.Same != 1 || c.Replayed() != 2 {
		t.Errorf("counted %+v", c)
	}
	if pending, err := s.PendingReplays(ctx); err != nil || !slices.Equal(pending, []string{"bakery"}) {
		t.Errorf("%v are pending, %v", pending, err)
	}
	wantResults := func(what, orgID, id string, state replay.ResultState, want int) {
		t.Helper()
		n := 0
		for cursor, more := "", true; more; more = cursor != "" {
			page, err := s.ListReplayResults(ctx, orgID, id, state, 1, cursor)
			wantCode(t, "ListReplayResults", err, "")
			n, cursor = n+len(page.Items), page.Next
		}
		if n != want {
			t.Errorf("%s: %d results, want %d", what, n, want)
		}
	}
	wantResults("all", "bakery", "one", "", 2)
	wantResults("changed", "bakery", "one", replay.Changed, 1)
	wantResults("another organization", "airline", "one", "", 0)
	_, err = s.ErasePerson(ctx, "bakery", "+966500000001", "user:1", now)
	wantCode(t, "ErasePerson", err, "")
	wantResults("after an erasure", "bakery", "one", "", 1)
	wantResults("after an erasure", "bakery", "two", "", 0)
	wantCode(t, "an erased call", add("bakery", "one", "me", ids[0], replay.Same), store.CodeConflict)
	_, err = s.ExpireWords(ctx, "bakery", now.Add(2*time.Hour), 10)
	wantCode(t, "ExpireWords", err, "")
	wantResults("after its texts", "bakery", "one", "", 0)
	wantCode(t, "DeleteReplay of another", s.DeleteReplay(ctx, "airline", "one", "user:1", now), store.CodeNotFound)
	wantCode(t, "DeleteReplay", s.DeleteReplay(ctx, "bakery", "one", "user:1", now), "")
	if b, err = s.FindReplays(ctx, "bakery"); err != nil || b.FindReplay("one") != nil || b.FindReplay("two") == nil {
		t.Errorf("%+v, %v", b, err)
	}
}

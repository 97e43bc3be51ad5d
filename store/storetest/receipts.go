package storetest

import (
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/store"
)

// newReceipt returns a receipt that is created some time after [startTime].
func newReceipt(key string, after time.Duration) *store.IdempotencyReceipt {
	return &store.IdempotencyReceipt{
		Key: key, Body: []byte("hash of " + key), Answer: []byte(`{"phone_number":"` + number + `"}`),
		MadeAt: startTime().Add(after),
	}
}

// testReceipts: a key books one call a day in its organization.
func testReceipts(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	ctx, key := t.Context(), "a/b "+strings.Repeat("ك", 400)
	first := newCall("bakery", 0)
	made, err := s.BookCall(ctx, first, asked, newReceipt(key, 0))
	if wantCode(t, "Book", err, ""); made.Replays || made.CallID != first.ID {
		t.Fatalf("the first receipt is %+v", made)
	}
	for _, after := range []time.Duration{0, store.KeepReceipts - 1} {
		other := newCall("bakery", after)
		other.PhoneNumber = "" // a repeated request is not validated
		again, err := s.BookCall(ctx, other, asked, newReceipt(key, after))
		if wantCode(t, "repeat", err, ""); !again.Replays || again.CallID != first.ID ||
			string(again.Body) != "hash of "+key || string(again.Answer) != string(made.Answer) {
			t.Fatalf("the repeat's receipt is %+v", again)
		}
		_, err = s.FindCall(ctx, "bakery", other.ID)
		wantCode(t, "the repeat's call", err, store.CodeNotFound)
		found, err := s.FindReceipt(ctx, "bakery", key, startTime().Add(after))
		if wantCode(t, "Receipt", err, ""); found == nil || found.CallID != first.ID || !found.Replays {
			t.Fatalf("found %+v", found)
		}
	}
	for _, orgID := range []string{"airline", "nobody", "a/b"} {
		if found, err := s.FindReceipt(ctx, orgID, key, startTime()); err != nil || found != nil {
			t.Errorf("%s has the receipt: %v, %v", orgID, found, err)
		}
	}
	theirs := newCall("airline", 0)
	if made, err = s.BookCall(ctx, theirs, asked, newReceipt(key, 0)); err != nil || made.CallID != theirs.ID {
		t.Errorf("another organization's key is taken: %+v, %v", made, err)
	}
	late := newCall("bakery", store.KeepReceipts)
	made, err = s.BookCall(ctx, late, asked, newReceipt(key, store.KeepReceipts))
	if wantCode(t, "a day later", err, ""); made.Replays || made.CallID != late.ID {
		t.Fatalf("a day later the receipt is %+v", made)
	}
}

// receiptOfRefused: a booking that is refused leaves no receipt.
func receiptOfRefused(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	bad := newCall("bakery", 0)
	bad.ScenarioID = ""
	_, err := s.BookCall(t.Context(), bad, asked, newReceipt("k", 0))
	wantCode(t, "Book", err, store.CodeInvalid)
	if found, err := s.FindReceipt(t.Context(), "bakery", "k", startTime()); err != nil || found != nil {
		t.Errorf("a refused booking left %v, %v", found, err)
	}
}

// receiptsAtOnce: concurrent bookings under one key book one call.
func receiptsAtOnce(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	var mu sync.Mutex
	ids, made := map[string]bool{}, 0
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			r, err := s.BookCall(t.Context(), newCall("bakery", 0), asked, newReceipt("k", 0))
			mu.Lock()
			defer mu.Unlock()
			if ids[r.CallID] = true; err != nil {
				t.Error(err)
			}
			if !r.Replays {
				made++
			}
		})
	}
	wg.Wait()
	if page := listCalls(t, s, "bakery", store.CallFilter{Limit: 200}); len(page) != 1 || len(ids) != 1 || made != 1 {
		t.Errorf("%d calls, %d ids in receipts, %d made", len(page), len(ids), made)
	}
}

// receiptsExpire: receipts are removed after [store.KeepReceipts]; one that was replaced meanwhile is kept.
func receiptsExpire(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	day := store.KeepReceipts
	for _, r := range []*store.IdempotencyReceipt{
		newReceipt("old", 0), newReceipt("again", 0), newReceipt("new", time.Hour), newReceipt("again", day),
	} {
		_, err := s.BookCall(t.Context(), newCall("bakery", 0), asked, r)
		wantCode(t, "Book", err, "")
	}
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{day - 1, 0}, {day, 2}, {day, 0}, {day + time.Hour, 1}, {3 * day, 1}} {
		n, err := s.ExpireReceipts(t.Context(), startTime().Add(c.after))
		if wantCode(t, "ExpireReceipts", err, ""); n != c.want {
			t.Errorf("after %v: %d expired, want %d", c.after, n, c.want)
		}
		if c.after == day {
			again, err := s.FindReceipt(t.Context(), "bakery", "again", startTime().Add(day))
			if wantCode(t, "Receipt", err, ""); again == nil {
				t.Error("a replaced receipt expired with the old one")
			}
		}
	}
}

package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
)

// deliveryTries: three attempts with pauses, then failed; none after that, or after a success.
func deliveryTries(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	enableWebhook(t, s, "bakery")
	now, d := startTime(), addPendingDelivery(t, s, "bakery", startTime())
	for n := 1; n <= delivery.MaxTries; n++ {
		wantDue(t, s, now, time.Time{}, d)
		wantDue(t, s, now.Add(-1), now)
		d = recordTry(t, s, d, "refused", now)
		now = now.Add(delivery.Pause)
	}
	if d.State != delivery.Failed || len(d.Tries) != delivery.MaxTries || d.Tries[0].Request != "{}" {
		t.Fatalf("in the end it is %+v", d)
	}
	wantDue(t, s, now.Add(time.Hour), time.Time{})
	_, err := s.RecordTry(t.Context(), "bakery", d.ID, delivery.DeliveryTry{At: now}, now)
	wantCode(t, "a fourth try", err, store.CodeConflict)
	_, err = s.RecordTry(t.Context(), "bakery", "dlv_none", delivery.DeliveryTry{At: now}, now)
	wantCode(t, "a try of nothing", err, store.CodeNotFound)
	good := recordTry(t, s, addPendingDelivery(t, s, "bakery", now), "", now)
	if good.State != delivery.Delivered {
		t.Fatalf("a good try leaves it %s", good.State)
	}
	wantDue(t, s, now.Add(time.Hour), time.Time{})
	if kept, err := s.FindDelivery(t.Context(), "bakery", good.ID); err != nil || cmp.Diff(good, kept) != "" {
		t.Error(err, cmp.Diff(good, kept))
	}
}

// deliveryOrder: an organization's deliveries are due in parallel, and none waits for a failed one.
func deliveryOrder(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "bakery-2", "airline")
	for _, orgID := range []string{"bakery", "bakery-2", "airline"} {
		enableWebhook(t, s, orgID)
	}
	now := startTime()
	var mine []delivery.Delivery
	for range 3 { // at the same time: the order is that of the calls' ends
		mine = append(mine, addPendingDelivery(t, s, "bakery", now))
	}
	other, third := addPendingDelivery(t, s, "bakery-2", now.Add(time.Second)), addPendingDelivery(t, s, "airline", now.Add(2*time.Second))
	wantDue(t, s, now, other.NextAt, mine...)
	recordTry(t, s, mine[0], "refused", now)
	wantDue(t, s, now, other.NextAt, mine[1], mine[2]) // they do not wait for the first
	later := now.Add(delivery.Pause)
	wantDue(t, s, later, time.Time{}, mine[1], mine[2], other, mine[0], third)
	recordTry(t, s, mine[1], "", later)
	recordTry(t, s, mine[0], "", later)
	wantDue(t, s, later, time.Time{}, mine[2], other, third)
}

// deliveryRoom: the room limits the notifications of each organization; those in flight are left out.
func deliveryRoom(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "bakery-2", "airline")
	now := startTime()
	var mine []delivery.Delivery
	for _, orgID := range []string{"bakery", "bakery-2", "airline"} {
		enableWebhook(t, s, orgID)
		for i := range 4 {
			mine = append(mine, addPendingDelivery(t, s, orgID, now.Add(time.Duration(i)*time.Second)))
		}
	}
	room := func(orgID string) int { return map[string]int{"bakery": 2, "bakery-2": 0, "airline": 3}[orgID] }
	busy := func(id string) bool { return id == mine[0].ID || id == mine[9].ID }
	for _, c := range []struct {
		after time.Duration
		limit int
		next  time.Duration // 0: none
		want  []delivery.Delivery
	}{
		{0, 10, time.Second, []delivery.Delivery{mine[8]}},
		{time.Second, 10, 2 * time.Second, []delivery.Delivery{mine[8], mine[1]}},
		{time.Hour, 10, 0, []delivery.Delivery{mine[8], mine[1], mine[2], mine[10], mine[11]}},
		{time.Hour, 2, 0, []delivery.Delivery{mine[8], mine[1]}},
		{time.Hour, 0, 0, nil},
	} {
		due, next, err := s.DueDeliveries(t.Context(), room, busy, now.Add(c.after), c.limit)
		wantCode(t, "DueDeliveries", err, "")
		ids := func(list []delivery.Delivery) (ids []string) {
			for _, d := range list {
				ids = append(ids, d.CallID)
			}
			slices.Sort(ids) // deliveries of equal time have any order
			return ids
		}
		if !slices.Equal(ids(due), ids(c.want)) || c.limit > 0 && next.IsZero() != (c.next == 0) ||
			c.next > 0 && !next.Equal(now.Add(c.next)) {
			t.Errorf("%v later, at most %d: %d due, next %v; want %d, %v", c.after, c.limit, len(due), next, len(c.want), c.next)
		}
	}
}

// keptBody: the body of an attempt is kept for the next one, until the end of the round.
func keptBody(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	enableWebhook(t, s, "bakery")
	now, d := startTime(), addPendingDelivery(t, s, "bakery", startTime())
	for n := range delivery.MaxTries {
		sent := delivery.DeliveryTry{At: now, Error: "refused", Sent: []byte(`{"same":"bytes"}`)}
		got, err := s.RecordTry(t.Context(), "bakery", d.ID, sent, now)
		wantCode(t, "RecordTry", err, "")
		if last := n == delivery.MaxTries-1; len(got.Body) == 0 != last {
			t.Errorf("after try %d the body is %q", n+1, got.Body)
		}
		now = now.Add(delivery.Pause)
	}
}

// testRedelivery: redeliveries and tests get the capacity that deliveries of calls leave free.
func testRedelivery(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	enableWebhook(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	old, test := addPendingDelivery(t, s, "bakery", now), delivery.NewDelivery("bakery", delivery.Test, call.NewID(), now)
	_, err := s.RedeliverWebhook(ctx, "bakery", old.ID, asked, now)
	wantCode(t, "Redeliver of a pending one", err, store.CodeConflict)
	recordTry(t, s, old, "", now)
	fresh := addPendingDelivery(t, s, "bakery", now)
	again, err := s.RedeliverWebhook(ctx, "bakery", old.ID, asked, now)
	if wantCode(t, "Redeliver", err, ""); again.State != delivery.Pending || len(again.Tries) != 1 || again.Round != 0 {
		t.Fatalf("again: %+v", again)
	}
	wantCode(t, "AddDelivery", s.AddDelivery(ctx, test, asked), "")
	wantCode(t, "the same again", s.AddDelivery(ctx, test, asked), store.CodeConflict)
	wantCode(t, "nobody's", s.AddDelivery(ctx, delivery.NewDelivery("nobody", delivery.Test, "call_x", now), asked), store.CodeNotFound)
	wantCode(t, "an ended one", s.AddDelivery(ctx, delivery.Delivery{
		ID: "dlv_x", OrgID: "bakery", CallID: "call_x", State: delivery.Failed,
	}, asked),

		store.CodeInvalid)

	wantDue(t, s, now, time.Time{}, fresh, old, test)
	one, _, err := s.DueDeliveries(ctx, func(string) int { return 1 }, nil, now, 10)
	if wantCode(t, "DueDeliveries", err, ""); len(one) != 1 || one[0].ID != fresh.ID {
		t.Errorf("with room for one: %v", one)
	}
	recordTry(t, s, fresh, "refused", now)
	wantDue(t, s, now, now.Add(delivery.Pause), old, test)
	recordTry(t, s, old, "", now)
	wantDue(t, s, now.Add(delivery.Pause), time.Time{}, fresh, test)
	if d, err := s.DeliveryOf(ctx, "bakery", test.CallID); err != nil || d != nil {
		t.Errorf("a test counts as a call's: %v, %v", d, err)
	}
	_, err = s.RedeliverWebhook(ctx, "bakery", "dlv_none", asked, now)
	wantCode(t, "Redeliver of nothing", err, store.CodeNotFound)
}

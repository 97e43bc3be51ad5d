package storetest

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
)

// enableWebhook turns an organization's webhook on.
func enableWebhook(t *testing.T, s store.Store, orgID string) {
	t.Helper()
	w := delivery.WebhookSetting{URL: "https://example.com/" + orgID, Enabled: true}
	wantCode(t, "PutWebhook", ReplaceWebhook(t.Context(), s, orgID, w, asked, startTime()), "")
}

// addOwedDelivery books and ends a call, and returns the delivery that it owes.
func addOwedDelivery(t *testing.T, s store.Store, orgID string, now time.Time) delivery.Delivery {
	t.Helper()
	c := newCall(orgID, 0)
	bookCalls(t, s, c)
	if ended := finishCall(t, s, c, call.NoAnswer, now); !ended.Notify {
		t.Fatal("the call owes no notification")
	}
	d, err := s.DeliveryOf(t.Context(), orgID, c.ID)
	if wantCode(t, "DeliveryOf", err, ""); d == nil {
		t.Fatal("the call has no delivery")
	}
	return *d
}

// recordTry records a try that failed or not.
func recordTry(t *testing.T, s store.Store, d delivery.Delivery, fault string, now time.Time) delivery.Delivery {
	t.Helper()
	got, err := s.RecordTry(t.Context(), d.OrgID, d.ID, delivery.DeliveryTry{At: now, Error: fault, Request: "{}"}, now)
	wantCode(t, "RecordTry", err, "")
	return got
}

// roomForAll says that every organization has room.
func roomForAll(string) int { return 100 }

// wantDue fails unless these deliveries are due at now, and the next one then.
func wantDue(t *testing.T, s store.Store, now, next time.Time, want ...delivery.Delivery) {
	t.Helper()
	due, then, err := s.DueDeliveries(t.Context(), roomForAll, nil, now, 100)
	wantCode(t, "DueDeliveries", err, "")
	var got, ids []string
	for _, d := range due {
		got = append(got, d.ID)
	}
	for _, d := range want {
		ids = append(ids, d.ID)
	}
	slices.Sort(got)
	slices.Sort(ids)
	if !slices.Equal(got, ids) || !then.Equal(next) {
		t.Fatalf("at %v due: %v, next %v; want %v, %v", now, got, then, ids, next)
	}
}

// testWebhook: kept whole, per organization, off until it is set.
func testWebhook(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	w := delivery.WebhookSetting{
		URL: "https://example.com", Enabled: true, Signing: true,
		Secrets: []delivery.SigningSecret{{Value: "whsec_1", CreatedAt: startTime()}},
	}
	wantCode(t, "PutWebhook", ReplaceWebhook(t.Context(), s, "bakery", w, asked, startTime().Add(time.Hour)), "")
	got, err := s.FindWebhook(t.Context(), "bakery")
	w.UpdatedAt = startTime().Add(time.Hour)
	if wantCode(t, "Webhook", err, ""); cmp.Diff(w, got) != "" {
		t.Error(cmp.Diff(w, got))
	}
	for _, orgID := range []string{"airline", "nobody", "a/b", ""} {
		if got, err := s.FindWebhook(t.Context(), orgID); err != nil || got.Enabled || got.URL != "" {
			t.Errorf("the webhook of %q is %+v, %v", orgID, got, err)
		}
	}
	wantCode(t, "nobody's", ReplaceWebhook(t.Context(), s, "nobody", w, asked, startTime()), store.CodeNotFound)
	rotateTogether(t, s, w)
}

// rotateTogether: of secrets that several people make at once none is lost.
func rotateTogether(t *testing.T, s store.Store, w delivery.WebhookSetting) {
	t.Helper()
	var all sync.WaitGroup
	made := make([]string, 3)
	for i := range made {
		all.Go(func() {
			before, after, err := s.ChangeWebhook(t.Context(), "bakery", asked, startTime(),
				func(kept delivery.WebhookSetting) delivery.WebhookSetting { return kept.RotateSecret(startTime()) })
			wantCode(t, "ChangeWebhook", err, "")
			made[i] = after.NewSecret(before)
		})
	}
	all.Wait()
	got, err := s.FindWebhook(t.Context(), "bakery")
	if wantCode(t, "Webhook", err, ""); len(got.Secrets) != 1+len(made) || got.URL != w.URL {
		t.Fatalf("after %d rotations the setting is %+v", len(made), got)
	}
	for _, secret := range made {
		if !slices.ContainsFunc(got.Secrets, func(s delivery.SigningSecret) bool { return s.Value == secret }) {
			t.Errorf("the secret %q is lost", secret)
		}
	}
	_, _, err = s.ChangeWebhook(t.Context(), "nobody", asked, startTime(), func(w delivery.WebhookSetting) delivery.WebhookSetting { return w })
	wantCode(t, "nobody's change", err, store.CodeNotFound)
}

// outboxRows: one row an end, where a receiver is wanted and known, and none for a cancellation.
func outboxRows(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "silent", "off")
	enableWebhook(t, s, "bakery")
	off := delivery.WebhookSetting{URL: "https://example.com"}
	wantCode(t, "PutWebhook", ReplaceWebhook(t.Context(), s, "off", off, asked, startTime()), "")
	for _, orgID := range []string{"silent", "off"} {
		c := newCall(orgID, 0)
		bookCalls(t, s, c)
		if ended := finishCall(t, s, c, call.NoAnswer, startTime()); ended.Notify {
			t.Errorf("a call of %s owes a notification", orgID)
		}
		if d, err := s.DeliveryOf(t.Context(), orgID, c.ID); err != nil || d != nil {
			t.Errorf("a call of %s has the delivery %v, %v", orgID, d, err)
		}
	}
	c := callIn(t, s, call.Cancelled)
	if d, err := s.DeliveryOf(t.Context(), "bakery", c.ID); err != nil || d != nil ||
		wantCall(t, s, c, call.Cancelled).Notify {
		t.Errorf("a cancelled call has the delivery %v, %v", d, err)
	}
	d := addOwedDelivery(t, s, "bakery", startTime())
	if d.Kind != delivery.CallEnded || d.State != delivery.Pending || !d.NextAt.Equal(startTime()) || d.Round != 0 {
		t.Errorf("the row is %+v", d)
	}
	page, err := s.ListDeliveries(t.Context(), "bakery", "", 200, "")
	if wantCode(t, "Deliveries", err, ""); len(page.Items) != 1 {
		t.Errorf("%d rows", len(page.Items))
	}
}

// deliveryTries: three tries with pauses, then failed; after that, or after a success, none.
func deliveryTries(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	enableWebhook(t, s, "bakery")
	now, d := startTime(), addOwedDelivery(t, s, "bakery", startTime())
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
	good := recordTry(t, s, addOwedDelivery(t, s, "bakery", now), "", now)
	if good.State != delivery.Delivered {
		t.Fatalf("a good try leaves it %s", good.State)
	}
	wantDue(t, s, now.Add(time.Hour), time.Time{})
	if kept, err := s.FindDelivery(t.Context(), "bakery", good.ID); err != nil || cmp.Diff(good, kept) != "" {
		t.Error(err, cmp.Diff(good, kept))
	}
}

// deliveryOrder: an organization's notifications are due in parallel, and none waits for another that failed.
func deliveryOrder(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "bakery-2", "airline")
	for _, orgID := range []string{"bakery", "bakery-2", "airline"} {
		enableWebhook(t, s, orgID)
	}
	now := startTime()
	var mine []delivery.Delivery
	for range 3 { // at one time: the order is that of the ends
		mine = append(mine, addOwedDelivery(t, s, "bakery", now))
	}
	other, third := addOwedDelivery(t, s, "bakery-2", now.Add(time.Second)), addOwedDelivery(t, s, "airline", now.Add(2*time.Second))
	wantDue(t, s, now, other.NextAt, mine...)
	recordTry(t, s, mine[0], "refused", now)
	wantDue(t, s, now, other.NextAt, mine[1], mine[2]) // they don't wait for the first
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
			mine = append(mine, addOwedDelivery(t, s, orgID, now.Add(time.Duration(i)*time.Second)))
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
			slices.Sort(ids) // those of one time come in any order
			return ids
		}
		if !slices.Equal(ids(due), ids(c.want)) || c.limit > 0 && next.IsZero() != (c.next == 0) ||
			c.next > 0 && !next.Equal(now.Add(c.next)) {
			t.Errorf("%v later, at most %d: %d due, next %v; want %d, %v", c.after, c.limit, len(due), next, len(c.want), c.next)
		}
	}
}

// keptBody: the body of a try is kept for the next one, and no longer than the round.
func keptBody(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	enableWebhook(t, s, "bakery")
	now, d := startTime(), addOwedDelivery(t, s, "bakery", startTime())
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

// testRedelivery: what a person asks for again gets the places that calls leave.
func testRedelivery(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	enableWebhook(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	old, test := addOwedDelivery(t, s, "bakery", now), delivery.NewDelivery("bakery", delivery.Test, call.NewID(), now)
	_, err := s.RedeliverWebhook(ctx, "bakery", old.ID, asked, now)
	wantCode(t, "Redeliver of a pending one", err, store.CodeConflict)
	recordTry(t, s, old, "", now)
	fresh := addOwedDelivery(t, s, "bakery", now)
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

// deliveriesListed: newest first, by state, in pages.
func deliveriesListed(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	enableWebhook(t, s, "bakery")
	enableWebhook(t, s, "airline")
	byState := map[delivery.DeliveryState][]string{}
	for i := range 7 {
		d := addOwedDelivery(t, s, "bakery", startTime())
		state := delivery.Pending
		if i%2 == 0 {
			state = recordTry(t, s, d, "", startTime()).State
		}
		for _, key := range []delivery.DeliveryState{"", state} {
			byState[key] = append([]string{d.ID}, byState[key]...)
		}
	}
	addOwedDelivery(t, s, "airline", startTime())
	for _, state := range []delivery.DeliveryState{"", delivery.Pending, delivery.Delivered, delivery.Failed} {
		var got []string
		for cursor, more := "", true; more; more = cursor != "" {
			page, err := s.ListDeliveries(t.Context(), "bakery", state, 2, cursor)
			wantCode(t, "Deliveries", err, "")
			for _, d := range page.Items {
				got = append(got, d.ID)
			}
			cursor = page.Next
		}
		if !slices.Equal(got, byState[state]) {
			t.Errorf("in state %q: %v, want %v", state, got, byState[state])
		}
	}
	_, err := s.ListDeliveries(t.Context(), "bakery", "", 2, "x")
	wantCode(t, "no cursor", err, store.CodeInvalid)
	_, err = s.ListDeliveries(t.Context(), "bakery", "", 0, "")
	wantCode(t, "no limit", err, store.CodeInvalid)
}

// testWatchers: a token after a change of the kind, one for many, none for others or for what was refused.
func testWatchers(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	calls, stopCalls := s.WatchKind(store.CallsChanged)
	rows, stopRows := s.WatchKind(store.OutboxChanged)
	defer stopRows()
	tokens := func(from <-chan struct{}) int {
		select {
		case <-from:
			return 1
		default:
			return 0
		}
	}
	bookCalls(t, s, newCall("bakery", 0), newCall("bakery", 0))
	if tokens(calls) != 1 || tokens(calls) != 0 || tokens(rows) != 0 {
		t.Error("want two bookings to wake the callers once and no other")
	}
	_, err := s.BookCall(t.Context(), newCall("nobody", 0), asked, nil)
	if wantCode(t, "Book", err, store.CodeNotFound); tokens(calls) != 0 {
		t.Error("a refused booking wakes a waiter")
	}
	enableWebhook(t, s, "bakery")
	tokens(rows)
	addOwedDelivery(t, s, "bakery", startTime())
	if tokens(rows) != 1 {
		t.Error("a row wakes no waiter")
	}
	tokens(calls)
	stopCalls()
	stopCalls()
	bookCalls(t, s, newCall("bakery", 0))
	if tokens(calls) != 0 {
		t.Error("one who stopped watching is woken")
	}
}

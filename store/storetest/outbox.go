package storetest

import (
	"errors"
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

// addPendingDelivery books and ends a call, and returns its delivery.
func addPendingDelivery(t *testing.T, s store.Store, orgID string, now time.Time) delivery.Delivery {
	t.Helper()
	c := newCall(orgID, 0)
	bookCalls(t, s, c)
	if ended := finishCall(t, s, c, call.NoAnswer, now); !ended.Notify {
		t.Fatal("the call has no notification")
	}
	d, err := s.DeliveryOf(t.Context(), orgID, c.ID)
	if wantCode(t, "DeliveryOf", err, ""); d == nil {
		t.Fatal("the call has no delivery")
	}
	return *d
}

// recordTry records an attempt; an empty fault means success.
func recordTry(t *testing.T, s store.Store, d delivery.Delivery, fault string, now time.Time) delivery.Delivery {
	t.Helper()
	got, err := s.RecordTry(t.Context(), d.OrgID, d.ID, delivery.DeliveryTry{At: now, Error: fault, Request: "{}"}, now)
	wantCode(t, "RecordTry", err, "")
	return got
}

// roomForAll gives every organization room.
func roomForAll(string) int { return 100 }

// wantDue fails unless these deliveries are due at now, and the next one at next.
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

// testWebhook: the setting is stored completely, per organization, and off until it is set.
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

// rotateTogether: concurrent rotations lose no secret.
func rotateTogether(t *testing.T, s store.Store, w delivery.WebhookSetting) {
	t.Helper()
	var all sync.WaitGroup
	made := make([]string, 3)
	for i := range made {
		all.Go(func() {
			before, after, err := s.ChangeWebhook(t.Context(), "bakery", asked, startTime(),
				func(kept *delivery.WebhookSetting) error {
					*kept = kept.RotateSecret(startTime())
					return nil
				})
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
	refused := errors.New("refused")
	_, _, err = s.ChangeWebhook(t.Context(), "bakery", asked, startTime(), func(kept *delivery.WebhookSetting) error {
		kept.URL = "https://example.com/refused"
		return refused
	})
	if again, _ := s.FindWebhook(t.Context(), "bakery"); !errors.Is(err, refused) || again.URL != got.URL {
		t.Errorf("a refused change: %v, the URL is %q", err, again.URL)
	}
}

// outboxRows: the end of a call adds one delivery if the webhook is enabled with a URL; a cancellation adds none.
func outboxRows(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "silent", "off")
	enableWebhook(t, s, "bakery")
	off := delivery.WebhookSetting{URL: "https://example.com"}
	wantCode(t, "PutWebhook", ReplaceWebhook(t.Context(), s, "off", off, asked, startTime()), "")
	for _, orgID := range []string{"silent", "off"} {
		c := newCall(orgID, 0)
		bookCalls(t, s, c)
		if ended := finishCall(t, s, c, call.NoAnswer, startTime()); ended.Notify {
			t.Errorf("a call of %s has a notification", orgID)
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
	d := addPendingDelivery(t, s, "bakery", startTime())
	if d.Kind != delivery.CallEnded || d.State != delivery.Pending || !d.NextAt.Equal(startTime()) || d.Round != 0 {
		t.Errorf("the row is %+v", d)
	}
	page, err := s.ListDeliveries(t.Context(), "bakery", "", 200, "")
	if wantCode(t, "Deliveries", err, ""); len(page.Items) != 1 {
		t.Errorf("%d rows", len(page.Items))
	}
}

// deliveriesListed: deliveries are listed newest first, by state, in pages.
func deliveriesListed(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	enableWebhook(t, s, "bakery")
	enableWebhook(t, s, "airline")
	byState := map[delivery.DeliveryState][]string{}
	for i := range 7 {
		d := addPendingDelivery(t, s, "bakery", startTime())
		state := delivery.Pending
		if i%2 == 0 {
			state = recordTry(t, s, d, "", startTime()).State
		}
		for _, key := range []delivery.DeliveryState{"", state} {
			byState[key] = append([]string{d.ID}, byState[key]...)
		}
	}
	addPendingDelivery(t, s, "airline", startTime())
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

// testWatchers: a change of the kind sends a token, several changes one; changes of other kinds and refused ones send
// none.
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
		t.Error("want two bookings to notify the watcher once, and no other")
	}
	_, err := s.BookCall(t.Context(), newCall("nobody", 0), asked, nil)
	if wantCode(t, "Book", err, store.CodeNotFound); tokens(calls) != 0 {
		t.Error("a refused booking notifies a watcher")
	}
	enableWebhook(t, s, "bakery")
	tokens(rows)
	addPendingDelivery(t, s, "bakery", startTime())
	if tokens(rows) != 1 {
		t.Error("a new delivery notifies no watcher")
	}
	tokens(calls)
	stopCalls()
	stopCalls()
	bookCalls(t, s, newCall("bakery", 0))
	if tokens(calls) != 0 {
		t.Error("a stopped watcher is notified")
	}
}

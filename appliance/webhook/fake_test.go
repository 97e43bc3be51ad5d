package webhook_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/appliance/webhook"
	"munadi/store"
	"munadi/store/delivery"
)

// outboxStore is the store's contract in a slice, in the order of creation.
type outboxStore struct {
	mu      sync.Mutex
	rows    []delivery.Delivery
	setting map[string]delivery.WebhookSetting // by organization; without one, https://ORG.example/hook
	broken  error                              // what RecordTry fails with
	looked  int                                // calls of DueDeliveries
	wake    chan struct{}
}

func newOutbox() *outboxStore {
	return &outboxStore{setting: map[string]delivery.WebhookSetting{}, wake: make(chan struct{}, 1)}
}

func (o *outboxStore) FindWebhook(_ context.Context, org string) (delivery.WebhookSetting, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if w, found := o.setting[org]; found {
		return w, nil
	}
	return delivery.WebhookSetting{URL: "https://" + org + ".example/hook", Enabled: true}, nil
}

func (o *outboxStore) DueDeliveries(
	_ context.Context, room func(string) int, busy func(string) bool, now time.Time, limit int,
) (due []delivery.Delivery, next time.Time, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.looked++
	left := map[string]int{}
	for _, d := range o.rows {
		if _, asked := left[d.OrgID]; !asked {
			left[d.OrgID] = room(d.OrgID)
		}
		if d.State != delivery.Pending || busy(d.ID) || left[d.OrgID] == 0 {
			continue
		}
		switch {
		case d.NextAt.After(now):
			if next.IsZero() || d.NextAt.Before(next) {
				next = d.NextAt
			}
		default:
			left[d.OrgID]--
			due = append(due, d)
		}
	}
	slices.SortStableFunc(due, func(a, b delivery.Delivery) int { return a.NextAt.Compare(b.NextAt) })
	if len(due) > limit {
		due, next = due[:limit], now
	}
	return due, next, nil
}

func (o *outboxStore) RecordTry(
	_ context.Context, org, id string, t delivery.DeliveryTry, now time.Time,
) (delivery.Delivery, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if store.CodeOf(o.broken) == store.CodeCorrupt { // the store skips what it cannot read
		o.rows = slices.DeleteFunc(o.rows, func(d delivery.Delivery) bool { return d.ID == id })
	}
	if o.broken != nil {
		return delivery.Delivery{}, o.broken
	}
	for i, d := range o.rows {
		if d.OrgID == org && d.ID == id {
			if d.State != delivery.Pending {
				return d, store.Errorf(store.CodeConflict, "not pending")
			}
			o.rows[i] = d.RecordTry(t, now)
			o.wakeWatchers()
			return o.rows[i], nil
		}
	}
	return delivery.Delivery{}, store.Errorf(store.CodeNotFound, "no such delivery")
}

func (o *outboxStore) WatchKind(store.ChangeKind) (<-chan struct{}, func()) { return o.wake, func() {} }

func (o *outboxStore) wakeWatchers() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// addAndWake adds a notification and wakes the waiters.
func (o *outboxStore) addAndWake(org, call string) delivery.Delivery {
	return o.addDelivery(delivery.NewDelivery(org, delivery.CallEnded, call, time.Now()))
}

func (o *outboxStore) addDelivery(d delivery.Delivery) delivery.Delivery {
	o.addSilently(d)
	o.wakeWatchers()
	return d
}

// addSilently adds one without waking the waiters.
func (o *outboxStore) addSilently(d delivery.Delivery) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.rows = append(o.rows, d)
}

// countLooks returns how often the worker has asked for due deliveries.
func (o *outboxStore) countLooks() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.looked
}

func (o *outboxStore) setDelivery(org string, w delivery.WebhookSetting) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.setting[org] = w
}

func (o *outboxStore) failNext(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.broken = err
}

// findByCall reads a row by its call.
func (o *outboxStore) findByCall(t *testing.T, call string) delivery.Delivery {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	i := slices.IndexFunc(o.rows, func(d delivery.Delivery) bool { return d.CallID == call })
	if i < 0 {
		t.Fatalf("no delivery of %s", call)
	}
	return o.rows[i]
}

// receivedPost is a request that a fake receiver got.
type receivedPost struct {
	at     time.Time
	host   string
	call   string
	header http.Header
}

// fakeReceivers answer in memory, so that time can be fake; all posts are noted.
type fakeReceivers struct {
	mu     sync.Mutex
	posts  []receivedPost
	answer func(r *http.Request, n int) (*http.Response, error) // n counts the posts to this host from 0
	seen   map[string]int
}

func newReceivers(answer func(*http.Request, int) (*http.Response, error)) *fakeReceivers {
	return &fakeReceivers{answer: answer, seen: map[string]int{}}
}

func (f *fakeReceivers) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	n := f.seen[r.URL.Host]
	f.seen[r.URL.Host]++
	f.posts = append(f.posts, receivedPost{time.Now(), r.URL.Host, string(body), r.Header})
	f.mu.Unlock()
	return f.answer(r, n)
}

func (f *fakeReceivers) receivedPosts() []receivedPost {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.posts)
}

// bodiesOf are the bodies that a host got, in order.
func (f *fakeReceivers) bodiesOf(host string) string {
	var list []string
	for _, p := range f.receivedPosts() {
		if p.host == host {
			list = append(list, p.call)
		}
	}
	return strings.Join(list, " ")
}

// answerStatus answers with an empty body.
func answerStatus(code int) (*http.Response, error) {
	return &http.Response{StatusCode: code, Header: http.Header{}, Body: http.NoBody}, nil
}

// hangAnswer answers nothing until the request's time is over.
func hangAnswer(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// answerAfter answers later, unless the request's time is over first.
func answerAfter(r *http.Request, d time.Duration, code int) (*http.Response, error) {
	select {
	case <-time.After(d):
		return answerStatus(code)
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// callID makes the body of a notification its call's id.
func callID(_ context.Context, d delivery.Delivery) ([]byte, error) { return []byte(d.CallID), nil }

func workerOptions(o *outboxStore, f http.RoundTripper) webhook.WorkerOptions {
	return webhook.WorkerOptions{
		Store: o, Transport: f, Body: callID, Version: "1.2.3", Log: slog.New(slog.DiscardHandler),
	}
}

// startWorker runs a worker; stop ends it and waits.
func startWorker(t *testing.T, o webhook.WorkerOptions) (stop func()) {
	t.Helper()
	return runWorker(t, webhook.NewWorker(o))
}

// runWorker runs a worker until stop is called.
func runWorker(t *testing.T, w *webhook.DeliveryWorker) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.Run(ctx) }()
	return func() {
		t.Helper()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	}
}

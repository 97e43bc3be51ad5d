// Package webhook tells receivers how calls ended: it takes what the outbox owes, POSTs it, and has the try recorded.
//
// It is a worker: the store says what is due and in which order, package delivery says what follows a try, and the
// body comes from a function that is handed in. The package knows HTTP, names and addresses; it must not know calls,
// the API's shapes, or any other worker.
//
//	store.DueDeliveries → one goroutine a try → body → POST → store.RecordTry → looked at again
//
// What holds, and why:
//
//   - The notifications of an organization leave side by side, 8 at once (backpressure: the rest waits in the store);
//     those of one call one after another, since a call has one delivery. Retries: a try that failed is made again two
//     seconds after its end, three tries in all. Between tries the delivery waits in the store and holds no place; a
//     stop loses nothing, a crash between the answer and its record sends the same once more, and receivers drop what
//     they know by call_id.
//   - All tries of a round send the same bytes: the body of the first one is kept with the delivery until the last.
//   - A slow receiver holds up no other: at most [Options.Parallel] tries run, and organizations whose last try failed
//     or took long share half of these places.
//   - A try is one POST, cut off after ten seconds. An answer's status decides: 2xx is delivered, everything else
//     failed, redirects included, which are not followed. The answer's body is read for the delivery log only: 16 KiB
//     and one second at most. One that is slow, endless or broken off takes nothing back.
//   - A delivery that cannot be made, or has nowhere to go because the webhook was turned off, fails like one that
//     nobody received; a person can have it sent again. A test is sent to a webhook that is turned off, too.
//   - Which addresses may be called is checked when the connection is made, after the name was looked up, see
//     [Network].
//
// A POST has the headers Content-Type: application/json, User-Agent: Munadi/VERSION and X-Munadi-Delivery, the
// delivery's id, which stays the same over all tries. With signing on, it has webhook-id (that id again),
// webhook-timestamp and webhook-signature as Standard Webhooks defines them.
package webhook

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"munadi/store"
	"munadi/store/delivery"
)

const (
	lookAgain = 15 * time.Second // the outbox is looked at so often without being woken
	lastWords = 10 * time.Second // to record a try while the appliance stops
	parallel  = 512              // tries at once, each a goroutine and a socket
)

// outbox is what is owed; store.Outbox and store.Watcher have it.
type outbox interface {
	Webhook(ctx context.Context, orgID string) (delivery.Webhook, error)
	DueDeliveries(
		ctx context.Context, room func(orgID string) int, busy func(id string) bool, now time.Time, limit int,
	) ([]delivery.Delivery, time.Time, error)
	RecordTry(ctx context.Context, orgID, id string, t delivery.Try, now time.Time) (delivery.Delivery, error)
	Watch(kind store.Kind) (woken <-chan struct{}, stop func())
}

// meter hears of every try: how it ended (see [Outcome]), how long the exchange took, and how long after it was due
// the try began.
type meter interface {
	Delivery(outcome string, latency, lag time.Duration)
}

// Options are what a worker needs.
type Options struct {
	Store outbox
	// Body makes what is sent, at sending. It is called from many goroutines.
	Body    func(ctx context.Context, d delivery.Delivery) ([]byte, error)
	Network Network
	Version string // for User-Agent
	Log     *slog.Logger
	Meter   meter // nil: nobody counts

	Transport http.RoundTripper // nil: Network's own
	Parallel  int               // tries at once; 0: 512
	Grace     time.Duration     // for tries on their way when Run is to end; 0: [delivery.Timeout], so that all can
}

// Worker sends what the outbox owes.
type Worker struct {
	Options
	now     func() time.Time
	timeout time.Duration // of one try
}

// New makes a worker, see [Worker.Run].
func New(o Options) *Worker {
	if o.Transport == nil {
		o.Transport = o.Network.Transport()
	}
	if o.Parallel <= 0 {
		o.Parallel = parallel
	}
	if o.Grace <= 0 {
		o.Grace = delivery.Timeout
	}
	if o.Meter == nil {
		o.Meter = silent{}
	}
	return &Worker{Options: o, now: time.Now, timeout: delivery.Timeout}
}

// Reconnect has the next tries make connections of their own, so that each is checked against the network's rules as
// they are now. A try that is on its way is not disturbed.
func (w *Worker) Reconnect() {
	if t, ok := w.Transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// Run sends until ctx ends, then lets the tries on their way end. One that the grace cut off is not recorded: it is
// made again by the next Run. Run returns nil when ctx ended, or the store's failure.
func (w *Worker) Run(ctx context.Context) error {
	woken, unwatch := w.Store.Watch(store.OutboxChanged)
	defer unwatch()
	tries, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	l := newLanes(w.Parallel)
	err := w.dispatch(ctx, tries, woken, l)
	grace := time.AfterFunc(w.Grace, cut)
	defer grace.Stop()
	for len(l.flying) > 0 {
		l.settle(<-l.ended)
	}
	return err
}

// dispatch starts tries as they fall due, until ctx ends.
func (w *Worker) dispatch(ctx, tries context.Context, woken <-chan struct{}, l *lanes) error {
	timer := time.NewTimer(lookAgain)
	defer timer.Stop()
	for ctx.Err() == nil {
		next, err := w.launch(ctx, tries, l)
		if err != nil && ctx.Err() == nil {
			return err
		}
		timer.Reset(w.pause(next))
		select {
		case <-ctx.Done():
		case <-woken:
		case v := <-l.ended:
			l.settle(v)
		case <-timer.C:
		}
		l.drain()
	}
	return nil
}

// pause is how long to wait for the next delivery that is due.
func (w *Worker) pause(next time.Time) time.Duration {
	const least = 50 * time.Millisecond // what is due now waits for a place, whose coming free wakes us
	if next.IsZero() {
		return lookAgain
	}
	return min(max(next.Sub(w.now()), least), lookAgain)
}

// launch starts what is due and finds a place. The time is that of the next delivery due.
func (w *Worker) launch(ctx, tries context.Context, l *lanes) (time.Time, error) {
	for l.freePlaces() > 0 {
		due, next, err := w.Store.DueDeliveries(ctx, l.roomFor, l.isFlying, w.now(), l.freePlaces())
		if err != nil {
			return time.Time{}, err
		}
		started := 0
		for _, d := range due {
			if l.takePlace(d.OrgID, d.ID) {
				started++
				go func() { l.ended <- w.deliver(ctx, tries, d) }()
			}
		}
		if started == 0 || started == len(due) {
			return next, nil
		}
	}
	return time.Time{}, nil // a try that ends wakes us
}

// deliver makes one try of d and has it recorded. stop is Run's context, ctx that of the tries.
func (w *Worker) deliver(stop, ctx context.Context, d delivery.Delivery) verdict {
	begun := w.now()
	t, outcome := w.try(ctx, d)
	if ctx.Err() != nil && outcome != Delivered {
		w.Log.Info("a notification was cut off by the stop and is sent again", about(d)...)
		return verdict{d.OrgID, d.ID, false}
	}
	w.Meter.Delivery(string(outcome), t.Duration, begun.Sub(d.NextAt))
	w.record(stop, d, t, w.now())
	return verdict{d.OrgID, d.ID, outcome != Delivered || t.Duration > slowAfter}
}

// record keeps a try that ended at end. While the store cannot, it asks again, and the receiver gets nothing: what is
// not recorded would be sent a second time.
func (w *Worker) record(stop context.Context, d delivery.Delivery, t delivery.Try, end time.Time) {
	for {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(stop), lastWords)
		after, err := w.Store.RecordTry(ctx, d.OrgID, d.ID, t, end)
		cancel()
		switch store.CodeOf(err) {
		case "":
			w.tell(stop, after, t)
			return
		case store.CodeNotFound, store.CodeConflict: // it was removed meanwhile
			w.Log.Warn("a try of a notification that is no longer owed", append(about(d), "error", err)...)
			return
		}
		w.Log.Error("a try could not be recorded", append(about(d), "error", err)...)
		select {
		case <-stop.Done():
			return
		case <-time.After(delivery.Pause):
		}
	}
}

// tell logs what became of a try. Addresses are secrets and stay out of it.
func (w *Worker) tell(ctx context.Context, d delivery.Delivery, t delivery.Try) {
	level, what := slog.LevelDebug, "notification delivered"
	switch d.State {
	case delivery.Pending:
		level, what = slog.LevelInfo, "notification not delivered, it is tried again"
	case delivery.Failed:
		level, what = slog.LevelWarn, "notification failed"
	}
	w.Log.Log(ctx, level, what, append(about(d),
		"try", d.Round, "status", t.StatusCode, "took", t.Duration.Round(time.Millisecond), "reason", t.Error)...)
}

func about(d delivery.Delivery) []any {
	return []any{"delivery", d.ID, "call_id", d.CallID, "org", d.OrgID}
}

type silent struct{}

func (silent) Delivery(string, time.Duration, time.Duration) {}

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
//   - A slow receiver holds up no other: at most [WorkerOptions.Parallel] tries run, and organizations whose last try failed
//     or took long share half of these places.
//   - A try is one POST, cut off after ten seconds. An answer's status decides: 2xx is delivered, everything else
//     failed, redirects included, which are not followed. The answer's body is read for the delivery log only: 16 KiB
//     and one second at most. One that is slow, endless or broken off takes nothing back.
//   - A delivery that cannot be made, or has nowhere to go because the webhook was turned off, fails like one that
//     nobody received; a person can have it sent again. A test is sent to a webhook that is turned off, too.
//   - Which addresses may be called is checked when the connection is made, after the name was looked up, see
//     [OutboundNetwork].
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

// outboxStore is what is owed; store.Outbox and store.Watcher have it.
type outboxStore interface {
	FindWebhook(ctx context.Context, orgID string) (delivery.WebhookSetting, error)
	DueDeliveries(
		ctx context.Context, room func(orgID string) int, busy func(id string) bool, now time.Time, limit int,
	) ([]delivery.Delivery, time.Time, error)
	RecordTry(ctx context.Context, orgID, id string, t delivery.DeliveryTry, now time.Time) (delivery.Delivery, error)
	WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func())
}

// tryMeter hears of every try: how it ended (see [TryOutcome]), how long the exchange took, and how long after it was due
// the try began.
type tryMeter interface {
	CountDelivery(outcome string, latency, lag time.Duration)
}

// WorkerOptions are what a worker needs.
type WorkerOptions struct {
	Store outboxStore
	// Body makes what is sent, at sending. It is called from many goroutines.
	Body    func(ctx context.Context, d delivery.Delivery) ([]byte, error)
	Network OutboundNetwork
	Version string // for User-Agent
	Log     *slog.Logger
	Meter   tryMeter // nil: nobody counts

	Transport http.RoundTripper // nil: Network's own
	Parallel  int               // tries at once; 0: 512
	Grace     time.Duration     // for tries on their way when Run is to end; 0: [delivery.Timeout], so that all can
}

// DeliveryWorker sends what the outbox owes.
type DeliveryWorker struct {
	WorkerOptions
	now     func() time.Time
	timeout time.Duration // of one try
}

// NewWorker makes a worker, see [DeliveryWorker.Run].
func NewWorker(o WorkerOptions) *DeliveryWorker {
	if o.Transport == nil {
		o.Transport = o.Network.NewTransport()
	}
	if o.Parallel <= 0 {
		o.Parallel = parallel
	}
	if o.Grace <= 0 {
		o.Grace = delivery.Timeout
	}
	if o.Meter == nil {
		o.Meter = silentMeter{}
	}
	return &DeliveryWorker{WorkerOptions: o, now: time.Now, timeout: delivery.Timeout}
}

// ResetConnections has the next tries make connections of their own, so that each is checked against the network's rules as
// they are now. A try that is on its way is not disturbed.
func (w *DeliveryWorker) ResetConnections() {
	if t, ok := w.Transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// Run sends until ctx ends, then lets the tries on their way end. One that the grace cut off is not recorded: it is
// made again by the next Run. Run returns nil when ctx ended, or the store's failure.
func (w *DeliveryWorker) Run(ctx context.Context) error {
	woken, unwatch := w.Store.WatchKind(store.OutboxChanged)
	defer unwatch()
	tries, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	l := newLanes(w.Parallel)
	err := w.dispatchTries(ctx, tries, woken, l)
	grace := time.AfterFunc(w.Grace, cut)
	defer grace.Stop()
	for len(l.flying) > 0 {
		l.releaseLane(<-l.ended)
	}
	return err
}

// dispatchTries starts tries as they fall due, until ctx ends.
func (w *DeliveryWorker) dispatchTries(ctx, tries context.Context, woken <-chan struct{}, l *deliveryLanes) error {
	timer := time.NewTimer(lookAgain)
	defer timer.Stop()
	for ctx.Err() == nil {
		next, err := w.launchDue(ctx, tries, l)
		if err != nil && ctx.Err() == nil {
			return err
		}
		timer.Reset(w.pauseUntil(next))
		select {
		case <-ctx.Done():
		case <-woken:
		case v := <-l.ended:
			l.releaseLane(v)
		case <-timer.C:
		}
		l.drainVerdicts()
	}
	return nil
}

// pauseUntil is how long to wait for the next delivery that is due.
func (w *DeliveryWorker) pauseUntil(next time.Time) time.Duration {
	const least = 50 * time.Millisecond // what is due now waits for a place, whose coming free wakes us
	if next.IsZero() {
		return lookAgain
	}
	return min(max(next.Sub(w.now()), least), lookAgain)
}

// launchDue starts what is due and finds a place. The time is that of the next delivery due.
func (w *DeliveryWorker) launchDue(ctx, tries context.Context, l *deliveryLanes) (time.Time, error) {
	for l.freePlaces() > 0 {
		due, next, err := w.Store.DueDeliveries(ctx, l.roomFor, l.isFlying, w.now(), l.freePlaces())
		if err != nil {
			return time.Time{}, err
		}
		started := 0
		for _, d := range due {
			if l.takePlace(d.OrgID, d.ID) {
				started++
				go func() { l.ended <- w.deliverOnce(ctx, tries, d) }()
			}
		}
		if started == 0 || started == len(due) {
			return next, nil
		}
	}
	return time.Time{}, nil // a try that ends wakes us
}

// deliverOnce makes one try of d and has it recorded. stop is Run's context, ctx that of the tries.
func (w *DeliveryWorker) deliverOnce(stop, ctx context.Context, d delivery.Delivery) tryVerdict {
	begun := w.now()
	t, outcome := w.tryDelivery(ctx, d)
	if ctx.Err() != nil && outcome != Delivered {
		w.Log.Info("a notification was cut off by the stop and is sent again", deliveryAttributes(d)...)
		return tryVerdict{d.OrgID, d.ID, false}
	}
	w.Meter.CountDelivery(string(outcome), t.Duration, begun.Sub(d.NextAt))
	w.recordTry(stop, d, t, w.now())
	return tryVerdict{d.OrgID, d.ID, outcome != Delivered || t.Duration > slowAfter}
}

// recordTry keeps a try that ended at end. While the store cannot, it asks again, and the receiver gets nothing: what is
// not recorded would be sent a second time.
func (w *DeliveryWorker) recordTry(stop context.Context, d delivery.Delivery, t delivery.DeliveryTry, end time.Time) {
	for {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(stop), lastWords)
		after, err := w.Store.RecordTry(ctx, d.OrgID, d.ID, t, end)
		cancel()
		switch store.CodeOf(err) {
		case "":
			w.logTry(stop, after, t)
			return
		case store.CodeNotFound, store.CodeConflict: // it was removed meanwhile
			w.Log.Warn("a try of a notification that is no longer owed", append(deliveryAttributes(d), "error", err)...)
			return
		}
		w.Log.Error("a try could not be recorded", append(deliveryAttributes(d), "error", err)...)
		select {
		case <-stop.Done():
			return
		case <-time.After(delivery.Pause):
		}
	}
}

// logTry logs what became of a try. Addresses are secrets and stay out of it.
func (w *DeliveryWorker) logTry(ctx context.Context, d delivery.Delivery, t delivery.DeliveryTry) {
	level, what := slog.LevelDebug, "notification delivered"
	switch d.State {
	case delivery.Pending:
		level, what = slog.LevelInfo, "notification not delivered, it is tried again"
	case delivery.Failed:
		level, what = slog.LevelWarn, "notification failed"
	}
	w.Log.Log(ctx, level, what, append(deliveryAttributes(d),
		"try", d.Round, "status", t.StatusCode, "took", t.Duration.Round(time.Millisecond), "reason", t.Error)...)
}

func deliveryAttributes(d delivery.Delivery) []any {
	return []any{"delivery", d.ID, "call_id", d.CallID, "org", d.OrgID}
}

type silentMeter struct{}

func (silentMeter) CountDelivery(string, time.Duration, time.Duration) {}

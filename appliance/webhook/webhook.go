// Package webhook sends the notifications of ended calls, and the events of destinations ([NewEventWorker]): the relay
// of the transactional outbox. It reads due deliveries, POSTs them and records the attempts.
//
// The store defines what is due and in which order, package delivery what follows an attempt, and an injected function
// renders the body. The package deals with HTTP, name resolution and addresses only; it does not import calls or the
// API's types.
//
//	store.DueDeliveries → one goroutine per attempt → body → POST → store.RecordTry → next round
//
// Guarantees:
//
//   - Backpressure: up to 8 notifications of an organization are sent concurrently, the rest waits in the store; a
//     call has one delivery, whose attempts are sequential. Retries: a failed attempt is repeated two seconds
//     after its end, three attempts in total. Between attempts the delivery waits in the store and occupies no slot.
//     Delivery is at least once: a shutdown loses nothing, a crash between an answer and its record sends the same
//     again, and receivers deduplicate by call_id.
//   - All attempts of a round send the same bytes: the body of the first one is stored until the last.
//   - Isolation of slow receivers: at most [WorkerOptions.Parallel] attempts run, and organizations whose last attempt
//     failed or was slow share half of these slots.
//   - An attempt is one POST with a timeout of ten seconds, sent again at once where the receiver had closed a kept
//     connection and no byte of an answer came (see [endpoint.AllowRepeat]). The status decides: 2xx is delivered,
//     anything else failed, redirects included, which are not followed. The answer's body is read for the delivery log
//     only, at most 16 KiB and one second; a slow, endless or broken body does not change the result.
//   - A delivery whose body cannot be rendered, or whose webhook was turned off, fails like an unreceived one; a user
//     can redeliver it. A test is also sent to a webhook that is turned off.
//   - SSRF guard: the address is checked when the connection is made, after name resolution, see [OutboundNetwork].
//
// A POST has the headers Content-Type: application/json, User-Agent: Munadi/VERSION and X-Munadi-Delivery, the
// delivery's id, which is the same in all attempts. With signing on, it has webhook-id (that id again),
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

const parallel = 512 // concurrent attempts, each a goroutine and a socket

// outboxStore is the part of the store that the worker uses.
type outboxStore interface {
	FindWebhook(ctx context.Context, orgID string) (delivery.WebhookSetting, error)
	DueDeliveries(
		ctx context.Context, room func(orgID string) int, busy func(id string) bool, now time.Time, limit int,
	) ([]delivery.Delivery, time.Time, error)
	RecordTry(ctx context.Context, orgID, key string, t delivery.DeliveryTry, now time.Time) (delivery.Delivery, error)
	WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func())
}

// tryMeter receives metrics of every attempt: result (see [TryOutcome]), duration, and delay after its due time.
type tryMeter interface {
	CountDelivery(outcome string, latency, lag time.Duration)
}

// WorkerOptions configures a worker.
type WorkerOptions struct {
	Store outboxStore
	// Body renders the request body at sending time. It is called concurrently.
	Body    func(ctx context.Context, d delivery.Delivery) ([]byte, error)
	Network OutboundNetwork
	Version string // for User-Agent
	Log     *slog.Logger
	Meter   tryMeter // nil: no metrics

	Transport http.RoundTripper // nil: Network's own
	Parallel  int               // concurrent attempts; 0: 512
	Grace     time.Duration     // for attempts in flight when Run stops; 0: [delivery.Timeout], enough for all
}

// DeliveryWorker is the outbox relay: it sends the pending deliveries.
type DeliveryWorker struct {
	WorkerOptions
	timeout time.Duration // of one attempt
	// receiver returns where a delivery is sent, and how.
	receiver func(ctx context.Context, d delivery.Delivery) (delivery.WebhookSetting, error)
}

// NewWorker creates a worker, see [DeliveryWorker.Run].
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
		o.Meter = discardMeter{}
	}
	w := &DeliveryWorker{WorkerOptions: o, timeout: delivery.Timeout}
	w.receiver = func(ctx context.Context, d delivery.Delivery) (delivery.WebhookSetting, error) {
		return w.Store.FindWebhook(ctx, d.OrgID)
	}
	return w
}

// ResetConnections closes idle connections, so that the next attempts connect again and are checked by the current
// network rules. Attempts in flight are not disturbed.
func (w *DeliveryWorker) ResetConnections() {
	if t, ok := w.Transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// Run sends until ctx ends, see [attemptLoop.run]. An attempt cut off after the grace period is not recorded: the next
// Run repeats it.
func (w *DeliveryWorker) Run(ctx context.Context) error {
	woken, unwatch := w.Store.WatchKind(store.OutboxChanged)
	defer unwatch()
	l := newLanes(w.Parallel)
	return attemptLoop[tryVerdict]{
		launch: func(stop, tries context.Context) (time.Time, error) { return w.launchDue(stop, tries, l) },
		ended:  l.ended, settle: l.releaseLane, inFlight: func() int { return len(l.flying) },
	}.run(ctx, woken, w.Grace)
}

// launchDue starts the due attempts that have a free slot. It returns the time of the next due delivery.
func (w *DeliveryWorker) launchDue(ctx, tries context.Context, l *deliveryLanes) (time.Time, error) {
	for l.freePlaces() > 0 {
		due, next, err := w.Store.DueDeliveries(ctx, l.roomFor, l.isBusy, time.Now(), l.freePlaces())
		if err != nil {
			return time.Time{}, err
		}
		started, held := 0, 0
		for _, d := range due {
			switch {
			case l.holdBack(d):
				held++
			case l.takePlace(d):
				started++
				go func() { l.ended <- w.deliverOnce(ctx, tries, d) }()
			}
		}
		if started+held == 0 || started == len(due) {
			return next, nil
		}
	}
	return time.Time{}, nil // the end of an attempt wakes the loop
}

// deliverOnce makes one attempt of d and records it. stop is Run's context, ctx that of the attempts.
func (w *DeliveryWorker) deliverOnce(stop, ctx context.Context, d delivery.Delivery) tryVerdict {
	begun := time.Now()
	t, outcome := w.tryDelivery(ctx, d)
	if ctx.Err() != nil && outcome != Delivered {
		w.Log.Info("a notification was cut off by the stop and is sent again", deliveryAttributes(d)...)
		return tryVerdict{d, false}
	}
	w.Meter.CountDelivery(string(outcome), t.Duration, begun.Sub(d.NextAt))
	w.recordTry(stop, d, t, time.Now())
	return tryVerdict{d, outcome != Delivered || t.Duration > slowAfter}
}

// recordTry records an attempt that ended at end.
func (w *DeliveryWorker) recordTry(stop context.Context, d delivery.Delivery, t delivery.DeliveryTry, end time.Time) {
	after := d
	record := func(ctx context.Context) (err error) {
		after, err = w.Store.RecordTry(ctx, d.OrgID, d.Key(), t, end)
		return err
	}
	if w.recordAttempt(stop, record, deliveryAttributes(d)) {
		w.logTry(stop, after, t)
	}
}

// logTry logs the result of an attempt, without URLs, which are secrets.
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
	if d.Destination != "" {
		return []any{"event", d.ID, "type", d.Event, "destination", d.Destination, "about", d.CallID, "org", d.OrgID}
	}
	return []any{"delivery", d.ID, "call_id", d.CallID, "org", d.OrgID}
}

type discardMeter struct{}

func (discardMeter) CountDelivery(string, time.Duration, time.Duration) {}

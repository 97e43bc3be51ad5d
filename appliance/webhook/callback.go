package webhook

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"time"

	"munadi/appliance/recovery"
	"munadi/store"
	"munadi/store/delivery"
	"munadi/store/job"
)

const (
	callbackShare = 8   // concurrent attempts per organization
	callbackBatch = 128 // concurrent attempts, and jobs read at once
)

// callbackStore is the part of the store that callbacks use.
type callbackStore interface {
	FindWebhook(ctx context.Context, orgID string) (delivery.WebhookSetting, error)
	FindJob(ctx context.Context, orgID, id string) (job.Job, error)
	DueCallbacks(
		ctx context.Context, skip func(orgID, id string) bool, now time.Time, limit int,
	) ([]job.Job, time.Time, error)
	RecordCallback(ctx context.Context, orgID, id string, try job.CallbackTry, now time.Time) error
	WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func())
}

// CallbackOptions configures a [CallbackWorker].
type CallbackOptions struct {
	Store callbackStore
	// Body renders the request body of an ended job. It is called concurrently.
	Body      func(j job.Job) ([]byte, error)
	Network   OutboundNetwork
	Version   string // for User-Agent
	Log       *slog.Logger
	Transport http.RoundTripper // nil: Network's own
	Grace     time.Duration     // for attempts in flight when Run stops; 0: [delivery.Timeout]
}

// CallbackWorker POSTs ended transcription jobs to their callback URLs, with the rules of webhooks: SSRF guard,
// headers, timeouts, retries, and the organization's signature if its webhook is signed. Up to eight attempts per
// organization run concurrently (backpressure); waiting between retries occupies no slot. Delivery is at least once: an
// attempt that a crash interrupted is repeated.
type CallbackWorker struct {
	CallbackOptions
	sender *DeliveryWorker // sends requests and classifies answers
	ended  chan [2]string
	flying map[[2]string]bool // attempts in flight, by organization and job; used by Run's goroutine only
	share  map[string]int     // number of them by organization
}

// NewCallbackWorker creates a worker, see [CallbackWorker.Run].
func NewCallbackWorker(o CallbackOptions) *CallbackWorker {
	if o.Grace <= 0 {
		o.Grace = delivery.Timeout
	}
	return &CallbackWorker{
		CallbackOptions: o,
		sender:          NewWorker(WorkerOptions{Network: o.Network, Version: o.Version, Log: o.Log, Transport: o.Transport}),
		ended:           make(chan [2]string, callbackBatch),
		flying:          map[[2]string]bool{}, share: map[string]int{},
	}
}

// Reconnect is [DeliveryWorker.ResetConnections].
func (w *CallbackWorker) Reconnect() { w.sender.ResetConnections() }

// Run sends until ctx ends, see [attemptLoop.run].
func (w *CallbackWorker) Run(ctx context.Context) error {
	woken, unwatch := w.Store.WatchKind(store.CallbacksChanged)
	defer unwatch()
	return attemptLoop[[2]string]{
		launch: w.launchDue, ended: w.ended, settle: w.settleTry, inFlight: func() int { return len(w.flying) },
	}.run(ctx, woken, w.Grace)
}

// launchDue starts the due attempts that have a free slot. It returns the time of the next due callback.
func (w *CallbackWorker) launchDue(ctx, tries context.Context) (time.Time, error) {
	for len(w.flying) < callbackBatch {
		due, next, err := w.Store.DueCallbacks(ctx, w.isBusy, time.Now(), callbackBatch-len(w.flying))
		if err != nil || len(due) == 0 {
			return next, err
		}
		for _, j := range due {
			if !w.isBusy(j.OrgID, j.ID) {
				w.startTry(ctx, tries, j)
			}
		}
	}
	return time.Time{}, nil // the end of an attempt wakes the loop
}

// isBusy reports whether a job's attempt is in flight, or its organization has no free slot.
func (w *CallbackWorker) isBusy(orgID, id string) bool {
	return w.flying[[2]string{orgID, id}] || w.share[orgID] >= callbackShare
}

func (w *CallbackWorker) startTry(stop, ctx context.Context, j job.Job) {
	at := [2]string{j.OrgID, j.ID}
	w.flying[at] = true
	w.share[j.OrgID]++
	go func() {
		defer func() { w.ended <- at }()
		w.sendCallback(stop, ctx, j)
	}()
}

func (w *CallbackWorker) settleTry(at [2]string) {
	delete(w.flying, at)
	if w.share[at[0]]--; w.share[at[0]] == 0 {
		delete(w.share, at[0])
	}
}

// sendCallback makes one attempt and records it. An attempt cut off by the shutdown is not recorded: it is repeated.
// stop is Run's context, ctx that of the attempts.
func (w *CallbackWorker) sendCallback(stop, ctx context.Context, j job.Job) {
	x := &deliveryExchange{
		DeliveryWorker: w.sender, try: delivery.DeliveryTry{At: time.Now()},
		delivery: delivery.Delivery{ID: j.ID, OrgID: j.OrgID},
	}
	sending, cancel := context.WithTimeout(ctx, w.sender.timeout)
	defer cancel()
	outcome := Unsendable
	err := recovery.RecoverPanic(func() (err error) {
		outcome, err = w.runExchange(sending, x, j)
		return err
	})
	if ctx.Err() != nil && outcome != Delivered {
		return
	}
	end := time.Now()
	try := job.CallbackTry{At: x.try.At, Duration: end.Sub(x.try.At), StatusCode: x.try.StatusCode}
	if err != nil {
		try.Error = err.Error()
		w.Log.Info("a callback was not delivered", "job", j.ID, "org", j.OrgID, "try", len(j.Callback.Tries)+1,
			"reason", try.Error)
	}
	w.recordTry(stop, j, try, end)
}

// runExchange sends the request and classifies the answer.
func (w *CallbackWorker) runExchange(ctx context.Context, x *deliveryExchange, j job.Job) (TryOutcome, error) {
	whole, err := w.Store.FindJob(ctx, j.OrgID, j.ID)
	if err == nil {
		x.setting, err = w.Store.FindWebhook(ctx, j.OrgID)
	}
	var body []byte
	if err == nil {
		body, err = w.Body(whole)
	}
	if err != nil {
		return x.logUnsendable("the callback could not be made", err)
	}
	r, err := http.NewRequestWithContext(x.withTrace(ctx), http.MethodPost, j.Callback.URL, bytes.NewReader(body))
	if err == nil {
		err = x.setHeaders(r, body)
	}
	if err != nil {
		return x.logUnsendable("the callback's request could not be made", err)
	}
	return x.postRequest(r)
}

// recordTry records an attempt that ended at end.
func (w *CallbackWorker) recordTry(stop context.Context, j job.Job, try job.CallbackTry, end time.Time) {
	w.sender.recordAttempt(stop, func(ctx context.Context) error {
		return w.Store.RecordCallback(ctx, j.OrgID, j.ID, try, end)
	}, []any{"job", j.ID, "org", j.OrgID})
}

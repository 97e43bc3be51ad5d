package webhook

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"munadi/appliance/recovery"
	"munadi/store"
	"munadi/store/delivery"
	"munadi/store/job"
)

const (
	callbackShare = 8   // tries at once of one organization
	callbackBatch = 128 // tries at once, and jobs looked up at a time
)

// callbackStore is what callbacks need; store.Store has it.
type callbackStore interface {
	FindWebhook(ctx context.Context, orgID string) (delivery.WebhookSetting, error)
	FindJob(ctx context.Context, orgID, id string) (job.Job, error)
	DueCallbacks(
		ctx context.Context, skip func(orgID, id string) bool, now time.Time, limit int,
	) ([]job.Job, time.Time, error)
	RecordCallback(ctx context.Context, orgID, id string, try job.CallbackTry, now time.Time) error
	WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func())
}

// CallbackOptions are what a [CallbackWorker] needs.
type CallbackOptions struct {
	Store callbackStore
	// Body makes what is sent of an ended job. It is called from many goroutines.
	Body      func(j job.Job) ([]byte, error)
	Network   OutboundNetwork
	Version   string // for User-Agent
	Log       *slog.Logger
	Transport http.RoundTripper // nil: Network's own
	Grace     time.Duration     // for tries on their way when Run is to end; 0: [delivery.Timeout]
}

// CallbackWorker POSTs ended transcription jobs to the callback URLs that they name, under the rules of webhooks: the
// same network, headers, time-outs and judgement of answers, and the organization's own signature where its webhook is
// signed. Up to eight tries of an organization run side by side; the pause between tries holds no place. A try that a
// crash cut off is made again.
type CallbackWorker struct {
	CallbackOptions
	sender *DeliveryWorker // makes and judges requests
	ended  chan [2]string
	flying map[[2]string]bool // tries on their way, by organization and job; Run's goroutine alone uses it
	share  map[string]int     // of them, by organization
}

// NewCallbackWorker makes a worker, see [CallbackWorker.Run].
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

// Run sends until ctx ends, then lets the tries on their way end. It returns nil when ctx ended, or the store's failure.
func (w *CallbackWorker) Run(ctx context.Context) error {
	woken, unwatch := w.Store.WatchKind(store.CallbackOwed)
	defer unwatch()
	tries, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	err := w.dispatchTries(ctx, tries, woken)
	grace := time.AfterFunc(w.Grace, cut)
	defer grace.Stop()
	for len(w.flying) > 0 {
		w.settleTry(<-w.ended)
	}
	return err
}

// dispatchTries starts tries as they fall due, until ctx ends.
func (w *CallbackWorker) dispatchTries(ctx, tries context.Context, woken <-chan struct{}) error {
	timer := time.NewTimer(lookAgain)
	defer timer.Stop()
	for {
		next, err := w.launchDue(ctx, tries)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // an end that was asked for is no failure
		}
		if err != nil {
			return err
		}
		timer.Reset(w.sender.pauseUntil(next))
		select {
		case <-ctx.Done():
			return nil
		case <-woken:
		case at := <-w.ended:
			w.settleTry(at)
		case <-timer.C:
		}
	}
}

// launchDue starts what is due and finds a place. The time is that of the next callback due.
func (w *CallbackWorker) launchDue(ctx, tries context.Context) (time.Time, error) {
	for len(w.flying) < callbackBatch {
		due, next, err := w.Store.DueCallbacks(ctx, w.isBusy, w.sender.now(), callbackBatch-len(w.flying))
		if err != nil || len(due) == 0 {
			return next, err
		}
		for _, j := range due {
			if !w.isBusy(j.OrgID, j.ID) {
				w.startTry(tries, j)
			}
		}
	}
	return time.Time{}, nil // a try that ends wakes us
}

// isBusy says whether a job's try is on its way, or its organization has no place left.
func (w *CallbackWorker) isBusy(orgID, id string) bool {
	return w.flying[[2]string{orgID, id}] || w.share[orgID] >= callbackShare
}

func (w *CallbackWorker) startTry(ctx context.Context, j job.Job) {
	at := [2]string{j.OrgID, j.ID}
	w.flying[at] = true
	w.share[j.OrgID]++
	go func() {
		defer func() { w.ended <- at }()
		w.sendCallback(ctx, j)
	}()
}

func (w *CallbackWorker) settleTry(at [2]string) {
	delete(w.flying, at)
	if w.share[at[0]]--; w.share[at[0]] == 0 {
		delete(w.share, at[0])
	}
}

// sendCallback makes one try and has it recorded. One that the stop cut off is not: it is made again.
func (w *CallbackWorker) sendCallback(ctx context.Context, j job.Job) {
	x := &deliveryExchange{
		DeliveryWorker: w.sender, try: delivery.DeliveryTry{At: w.sender.now()},
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
	end := w.sender.now()
	try := job.CallbackTry{At: x.try.At, Duration: end.Sub(x.try.At), StatusCode: x.try.StatusCode}
	if err != nil {
		try.Error = err.Error()
		w.Log.Info("a callback was not delivered", "job", j.ID, "org", j.OrgID, "try", len(j.Callback.Tries)+1,
			"reason", try.Error)
	}
	w.recordTry(ctx, j, try, end)
}

// runExchange makes the request and judges its answer.
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

// recordTry keeps a try. While the store cannot, it asks again, and the receiver gets nothing: what is not recorded would
// be sent a second time.
func (w *CallbackWorker) recordTry(ctx context.Context, j job.Job, try job.CallbackTry, end time.Time) {
	for {
		storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
		err := w.Store.RecordCallback(storing, j.OrgID, j.ID, try, end)
		cancel()
		var known *store.Error
		if err == nil || errors.As(err, &known) && (known.Code == store.CodeNotFound || known.Code == store.CodeConflict) {
			return // recorded, or the job was removed meanwhile
		}
		w.Log.Error("a callback's try could not be recorded", "job", j.ID, "org", j.OrgID, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(job.CallbackPause):
		}
	}
}

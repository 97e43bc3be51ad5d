package webhook

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"munadi/appliance/survive"
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
	Webhook(ctx context.Context, orgID string) (delivery.Webhook, error)
	Job(ctx context.Context, orgID, id string) (job.Job, error)
	DueCallbacks(
		ctx context.Context, skip func(orgID, id string) bool, now time.Time, limit int,
	) ([]job.Job, time.Time, error)
	RecordCallback(ctx context.Context, orgID, id string, try job.CallbackTry, now time.Time) error
	Watch(kind store.Kind) (woken <-chan struct{}, stop func())
}

// CallbackOptions are what a [CallbackWorker] needs.
type CallbackOptions struct {
	Store callbackStore
	// Body makes what is sent of an ended job. It is called from many goroutines.
	Body      func(j job.Job) ([]byte, error)
	Network   Network
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
	sender *Worker // makes and judges requests
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
		sender:          New(Options{Network: o.Network, Version: o.Version, Log: o.Log, Transport: o.Transport}),
		ended:           make(chan [2]string, callbackBatch),
		flying:          map[[2]string]bool{}, share: map[string]int{},
	}
}

// Reconnect is [Worker.Reconnect].
func (w *CallbackWorker) Reconnect() { w.sender.Reconnect() }

// Run sends until ctx ends, then lets the tries on their way end. It returns nil when ctx ended, or the store's failure.
func (w *CallbackWorker) Run(ctx context.Context) error {
	woken, unwatch := w.Store.Watch(store.CallbackOwed)
	defer unwatch()
	tries, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	err := w.dispatch(ctx, tries, woken)
	grace := time.AfterFunc(w.Grace, cut)
	defer grace.Stop()
	for len(w.flying) > 0 {
		w.settle(<-w.ended)
	}
	return err
}

// dispatch starts tries as they fall due, until ctx ends.
func (w *CallbackWorker) dispatch(ctx, tries context.Context, woken <-chan struct{}) error {
	timer := time.NewTimer(lookAgain)
	defer timer.Stop()
	for {
		next, err := w.launch(ctx, tries)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // an end that was asked for is no failure
		}
		if err != nil {
			return err
		}
		timer.Reset(w.sender.pause(next))
		select {
		case <-ctx.Done():
			return nil
		case <-woken:
		case at := <-w.ended:
			w.settle(at)
		case <-timer.C:
		}
	}
}

// launch starts what is due and finds a place. The time is that of the next callback due.
func (w *CallbackWorker) launch(ctx, tries context.Context) (time.Time, error) {
	for len(w.flying) < callbackBatch {
		due, next, err := w.Store.DueCallbacks(ctx, w.skip, w.sender.now(), callbackBatch-len(w.flying))
		if err != nil || len(due) == 0 {
			return next, err
		}
		for _, j := range due {
			if !w.skip(j.OrgID, j.ID) {
				w.start(tries, j)
			}
		}
	}
	return time.Time{}, nil // a try that ends wakes us
}

// skip says whether a job's try is on its way, or its organization has no place left.
func (w *CallbackWorker) skip(orgID, id string) bool {
	return w.flying[[2]string{orgID, id}] || w.share[orgID] >= callbackShare
}

func (w *CallbackWorker) start(ctx context.Context, j job.Job) {
	at := [2]string{j.OrgID, j.ID}
	w.flying[at] = true
	w.share[j.OrgID]++
	go func() {
		defer func() { w.ended <- at }()
		w.send(ctx, j)
	}()
}

func (w *CallbackWorker) settle(at [2]string) {
	delete(w.flying, at)
	if w.share[at[0]]--; w.share[at[0]] == 0 {
		delete(w.share, at[0])
	}
}

// send makes one try and has it recorded. One that the stop cut off is not: it is made again.
func (w *CallbackWorker) send(ctx context.Context, j job.Job) {
	x := &exchange{
		Worker: w.sender, try: delivery.Try{At: w.sender.now()},
		delivery: delivery.Delivery{ID: j.ID, OrgID: j.OrgID},
	}
	sending, cancel := context.WithTimeout(ctx, w.sender.timeout)
	defer cancel()
	outcome := Unsendable
	err := survive.Panic(func() (err error) {
		outcome, err = w.exchange(sending, x, j)
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
	w.record(ctx, j, try, end)
}

// exchange makes the request and judges its answer.
func (w *CallbackWorker) exchange(ctx context.Context, x *exchange, j job.Job) (Outcome, error) {
	whole, err := w.Store.Job(ctx, j.OrgID, j.ID)
	if err == nil {
		x.setting, err = w.Store.Webhook(ctx, j.OrgID)
	}
	var body []byte
	if err == nil {
		body, err = w.Body(whole)
	}
	if err != nil {
		return x.unsendable("the callback could not be made", err)
	}
	r, err := http.NewRequestWithContext(x.traced(ctx), http.MethodPost, j.Callback.URL, bytes.NewReader(body))
	if err == nil {
		err = x.dress(r, body)
	}
	if err != nil {
		return x.unsendable("the callback's request could not be made", err)
	}
	return x.post(r)
}

// record keeps a try. While the store cannot, it asks again, and the receiver gets nothing: what is not recorded would
// be sent a second time.
func (w *CallbackWorker) record(ctx context.Context, j job.Job, try job.CallbackTry, end time.Time) {
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

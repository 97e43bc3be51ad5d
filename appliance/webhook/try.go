package webhook

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"munadi/appliance/recovery"
	"munadi/store/delivery"
)

// bodyTime is how long the body of an answer is waited for, once its status is there.
const bodyTime = time.Second

// deliveryExchange is one try on its way.
type deliveryExchange struct {
	*DeliveryWorker
	delivery delivery.Delivery
	setting  delivery.WebhookSetting
	try      delivery.DeliveryTry
	met      atomic.Bool // there is a connection
}

// tryDelivery makes one POST of d and says how it ended; it never fails otherwise than in the try's own words.
func (w *DeliveryWorker) tryDelivery(ctx context.Context, d delivery.Delivery) (delivery.DeliveryTry, TryOutcome) {
	x := &deliveryExchange{DeliveryWorker: w, delivery: d, try: delivery.DeliveryTry{At: w.now()}}
	ctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	outcome, err := x.runExchange(ctx)
	x.try.Duration = w.now().Sub(x.try.At)
	if err != nil {
		x.try.Error = err.Error()
	}
	return x.try, outcome
}

// runExchange goes through the exchange. A panic of what makes the body is this delivery's failure, and nobody else's.
func (x *deliveryExchange) runExchange(ctx context.Context) (o TryOutcome, err error) {
	panicked := recovery.RecoverPanic(func() error {
		o, err = x.performExchange(ctx)
		return nil
	})
	if panicked != nil {
		return x.logUnsendable("the notification could not be made: internal error", panicked)
	}
	return o, err
}

func (x *deliveryExchange) performExchange(ctx context.Context) (TryOutcome, error) {
	r, body, o, err := x.buildRequest(ctx)
	if err != nil {
		return o, err
	}
	x.try.Request, x.try.Sent = delivery.TruncateBody(body), body
	return x.postRequest(r)
}

// buildRequest makes what is to be sent.
func (x *deliveryExchange) buildRequest(ctx context.Context) (r *http.Request, body []byte, o TryOutcome, err error) {
	if x.setting, err = x.Store.FindWebhook(ctx, x.delivery.OrgID); err != nil {
		o, err = x.logUnsendable("the webhook's setting could not be read", err)
		return nil, nil, o, err
	}
	x.try.URL = x.setting.URL
	if fault := x.missingReceiver(); fault != "" {
		return nil, nil, Unsendable, errors.New(fault)
	}
	if body, err = x.Body(ctx, x.delivery); err != nil {
		o, err = x.logUnsendable("the notification could not be made", err)
		return nil, nil, o, err
	}
	r, err = http.NewRequestWithContext(x.withTrace(ctx), http.MethodPost, x.setting.URL, bytes.NewReader(body))
	if err == nil {
		err = x.setHeaders(r, body)
	}
	if err != nil {
		o, err = x.logUnsendable("the request could not be made from the webhook's setting", err)
	}
	return r, body, o, err
}

// missingReceiver says why there is no receiver.
func (x *deliveryExchange) missingReceiver() string {
	switch {
	case x.setting.URL == "":
		return "the organization has no webhook URL"
	case !x.setting.Enabled && x.delivery.Kind != delivery.Test:
		return "the organization has turned its webhook off"
	}
	return ""
}

// logUnsendable logs why there is nothing to send; a receiver's owner could do nothing about it.
func (x *deliveryExchange) logUnsendable(what string, cause error) (TryOutcome, error) {
	x.Log.Error(what, append(deliveryAttributes(x.delivery), "error", cause)...)
	return Unsendable, errors.New(what)
}

// withTrace notices the connection, so that a time-out can say how far it came.
func (x *deliveryExchange) withTrace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { x.met.Store(true) },
	})
}

// setHeaders sets the headers.
func (x *deliveryExchange) setHeaders(r *http.Request, body []byte) error {
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Munadi/"+x.Version)
	r.Header.Set("X-Munadi-Delivery", x.delivery.ID)
	if !x.setting.Signing {
		return nil
	}
	return signHeaders(r.Header, x.setting.LiveSecrets(x.try.At), x.delivery.ID, x.try.At, body)
}

// postRequest sends the request and judges the answer.
func (x *deliveryExchange) postRequest(r *http.Request) (TryOutcome, error) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	answer, err := x.Transport.RoundTrip(r.WithContext(ctx))
	if err != nil {
		return explainError(err, x.met.Load())
	}
	defer answer.Body.Close()
	x.try.StatusCode = answer.StatusCode
	enough := time.AfterFunc(bodyTime, cancel)
	defer enough.Stop()
	// What cannot be read is not there: the status has said it all.
	excerpt, _ := io.ReadAll(io.LimitReader(answer.Body, delivery.MaxKept+1))
	x.try.Response = delivery.TruncateBody(excerpt)
	return judgeAnswer(answer)
}

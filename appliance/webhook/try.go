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

	"munadi/appliance/survive"
	"munadi/store/delivery"
)

// bodyTime is how long the body of an answer is waited for, once its status is there.
const bodyTime = time.Second

// exchange is one try on its way.
type exchange struct {
	*Worker
	delivery delivery.Delivery
	setting  delivery.Webhook
	try      delivery.Try
	met      atomic.Bool // there is a connection
}

// try makes one POST of d and says how it ended; it never fails otherwise than in the try's own words.
func (w *Worker) try(ctx context.Context, d delivery.Delivery) (delivery.Try, Outcome) {
	x := &exchange{Worker: w, delivery: d, try: delivery.Try{At: w.now()}}
	ctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	outcome, err := x.run(ctx)
	x.try.Duration = w.now().Sub(x.try.At)
	if err != nil {
		x.try.Error = err.Error()
	}
	return x.try, outcome
}

// run goes through the exchange. A panic of what makes the body is this delivery's failure, and nobody else's.
func (x *exchange) run(ctx context.Context) (o Outcome, err error) {
	panicked := survive.Panic(func() error {
		o, err = x.exchange(ctx)
		return nil
	})
	if panicked != nil {
		return x.unsendable("the notification could not be made: internal error", panicked)
	}
	return o, err
}

func (x *exchange) exchange(ctx context.Context) (Outcome, error) {
	r, body, o, err := x.request(ctx)
	if err != nil {
		return o, err
	}
	x.try.Request, x.try.Sent = delivery.Keep(body), body
	return x.post(r)
}

// request makes what is to be sent.
func (x *exchange) request(ctx context.Context) (r *http.Request, body []byte, o Outcome, err error) {
	if x.setting, err = x.Store.Webhook(ctx, x.delivery.OrgID); err != nil {
		o, err = x.unsendable("the webhook's setting could not be read", err)
		return nil, nil, o, err
	}
	x.try.URL = x.setting.URL
	if fault := x.nowhere(); fault != "" {
		return nil, nil, Unsendable, errors.New(fault)
	}
	if body, err = x.Body(ctx, x.delivery); err != nil {
		o, err = x.unsendable("the notification could not be made", err)
		return nil, nil, o, err
	}
	r, err = http.NewRequestWithContext(x.traced(ctx), http.MethodPost, x.setting.URL, bytes.NewReader(body))
	if err == nil {
		err = x.dress(r, body)
	}
	if err != nil {
		o, err = x.unsendable("the request could not be made from the webhook's setting", err)
	}
	return r, body, o, err
}

// nowhere says why there is no receiver.
func (x *exchange) nowhere() string {
	switch {
	case x.setting.URL == "":
		return "the organization has no webhook URL"
	case !x.setting.Enabled && x.delivery.Kind != delivery.Test:
		return "the organization has turned its webhook off"
	}
	return ""
}

// unsendable logs why there is nothing to send; a receiver's owner could do nothing about it.
func (x *exchange) unsendable(what string, cause error) (Outcome, error) {
	x.Log.Error(what, append(about(x.delivery), "error", cause)...)
	return Unsendable, errors.New(what)
}

// traced notices the connection, so that a time-out can say how far it came.
func (x *exchange) traced(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { x.met.Store(true) },
	})
}

// dress sets the headers.
func (x *exchange) dress(r *http.Request, body []byte) error {
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Munadi/"+x.Version)
	r.Header.Set("X-Munadi-Delivery", x.delivery.ID)
	if !x.setting.Signing {
		return nil
	}
	return sign(r.Header, x.setting.Live(x.try.At), x.delivery.ID, x.try.At, body)
}

// post sends the request and judges the answer.
func (x *exchange) post(r *http.Request) (Outcome, error) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	answer, err := x.Transport.RoundTrip(r.WithContext(ctx))
	if err != nil {
		return explain(err, x.met.Load())
	}
	defer answer.Body.Close()
	x.try.StatusCode = answer.StatusCode
	enough := time.AfterFunc(bodyTime, cancel)
	defer enough.Stop()
	// What cannot be read is not there: the status has said it all.
	excerpt, _ := io.ReadAll(io.LimitReader(answer.Body, delivery.MaxKept+1))
	x.try.Response = delivery.Keep(excerpt)
	return judge(answer)
}

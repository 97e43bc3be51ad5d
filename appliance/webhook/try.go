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

	"munadi/appliance/endpoint"
	"munadi/appliance/recovery"
	"munadi/store/delivery"
)

// bodyTime is how long the body of an answer is awaited after its status.
const bodyTime = time.Second

// deliveryExchange is one attempt in progress.
type deliveryExchange struct {
	*DeliveryWorker
	delivery delivery.Delivery
	setting  delivery.WebhookSetting
	try      delivery.DeliveryTry
	met      atomic.Bool // a connection was made
}

// tryDelivery makes one POST of d and returns its result; all failures are in the attempt's Error.
func (w *DeliveryWorker) tryDelivery(ctx context.Context, d delivery.Delivery) (delivery.DeliveryTry, TryOutcome) {
	x := &deliveryExchange{DeliveryWorker: w, delivery: d, try: delivery.DeliveryTry{At: time.Now()}}
	ctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	outcome, err := x.runExchange(ctx)
	x.try.Duration = time.Since(x.try.At)
	if err != nil {
		x.try.Error = err.Error()
	}
	return x.try, outcome
}

// runExchange runs the exchange. A panic while rendering the body fails this delivery alone.
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

// buildRequest builds the request.
func (x *deliveryExchange) buildRequest(ctx context.Context) (r *http.Request, body []byte, o TryOutcome, err error) {
	if x.setting, err = x.receiver(ctx, x.delivery); err != nil {
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

// missingReceiver returns why there is no receiver; empty if there is one.
func (x *deliveryExchange) missingReceiver() string {
	switch {
	case x.setting.Accepts(x.delivery.Kind):
		return ""
	case x.delivery.Destination != "" && x.setting.URL == "":
		return "the destination was deleted"
	case x.delivery.Destination != "":
		return "the destination is turned off"
	case x.setting.URL == "":
		return "the organization has no webhook URL"
	}
	return "the organization has turned its webhook off"
}

// logUnsendable logs why a body cannot be sent: an internal failure that the receiver's owner cannot fix.
func (x *deliveryExchange) logUnsendable(what string, cause error) (TryOutcome, error) {
	x.Log.Error(what, append(deliveryAttributes(x.delivery), "error", cause)...)
	return Unsendable, errors.New(what)
}

// withTrace notes the connection, so that a timeout can say how far the request got; a request that is sent again asks
// for another one.
func (x *deliveryExchange) withTrace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { x.met.Store(false) },
		GotConn: func(httptrace.GotConnInfo) { x.met.Store(true) },
	})
}

// setHeaders sets the headers.
func (x *deliveryExchange) setHeaders(r *http.Request, body []byte) error {
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Munadi/"+x.Version)
	r.Header.Set("X-Munadi-Delivery", x.delivery.ID)
	endpoint.AllowRepeat(r)
	if !x.setting.Signing {
		return nil
	}
	return signHeaders(r.Header, x.setting.LiveSecrets(x.try.At), x.delivery.ID, x.try.At, body)
}

// postRequest sends the request and classifies the answer.
func (x *deliveryExchange) postRequest(r *http.Request) (TryOutcome, error) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	answer, err := x.Transport.RoundTrip(r.WithContext(ctx))
	if err != nil {
		return explainError(err, x.met.Load())
	}
	defer answer.Body.Close()
	x.try.StatusCode = answer.StatusCode
	if answer.StatusCode == http.StatusSwitchingProtocols { // its body is the connection, which no context ends
		return judgeAnswer(answer)
	}
	enough := time.AfterFunc(bodyTime, cancel)
	defer enough.Stop()
	// Read errors are ignored: the status alone decides.
	excerpt, _ := io.ReadAll(io.LimitReader(answer.Body, delivery.MaxKept+1))
	x.try.Response = delivery.TruncateBody(excerpt)
	return judgeAnswer(answer)
}

package page

import (
	"strconv"
	"time"

	"munadi/ui/shell"
	"munadi/ui/text"
)

// Webhook is the page of an organization's notifications.
type Webhook struct {
	shell.ConsolePage
	Zone             *time.Location
	URL              string
	Enabled, Signing bool
	Saved            bool // there is an address to test
	Secrets          []Secret
	Made             string // the new signing secret, shown once
	Fault            string
	Test             *Delivery // the test that was just asked for
	State            string    // that the list is narrowed to
	Deliveries       []Delivery
	Next, First, CSV string
}

// Secret is a signing secret as it may be shown: by its age.
type Secret struct {
	Since time.Time
	Until *time.Time
}

// Delivery is a notification.
type Delivery struct {
	ID, Kind, CallID, State string
	Created                 time.Time
	Next                    *time.Time // of the next try
	Tries                   []Exchange
}

// Exchange is one POST and its answer.
type Exchange struct {
	At                time.Time
	URL, Error        string
	Status            int
	Took              time.Duration
	Request, Response string
	Number            int
}

// Good says whether the receiver took it.
func (t Exchange) Good() bool { return t.Status >= 200 && t.Status < 300 && t.Error == "" }

// state is the colour and icon of a try.
func (t Exchange) state() string {
	if t.Good() {
		return "delivered"
	}
	return "failed"
}

// status is the answer's number, or that there was none.
func (t Exchange) status(w text.Webhook) string {
	if t.Status == 0 {
		return w.NoResponse
	}
	return strconv.Itoa(t.Status)
}

// took is the duration in seconds.
func (t Exchange) took() string {
	if t.Took < time.Second {
		return strconv.FormatInt(t.Took.Milliseconds(), 10) + " ms"
	}
	return strconv.FormatFloat(t.Took.Seconds(), 'f', 2, 64) + " s"
}

// part is how much of the ten seconds that a receiver has the try took, in thousandths.
func (t Exchange) part() string {
	return strconv.FormatInt(min(t.Took.Milliseconds()/10, 1000), 10)
}

// OneDelivery is the page of one notification.
type OneDelivery struct {
	shell.ConsolePage
	Zone     *time.Location
	Delivery Delivery
}

func (p Webhook) words() text.Webhook     { return text.WebhookIn(p.Lang) }
func (p OneDelivery) words() text.Webhook { return text.WebhookIn(p.Lang) }

// filters are the chips above the list.
func (p Webhook) filters() []string { return []string{"", "pending", "delivered", "failed"} }

// stateAddress is the list narrowed to a state.
func stateAddress(state string) string {
	if state == "" {
		return "/console/webhook#deliveries"
	}
	return "/console/webhook?state=" + state + "#deliveries"
}

package webhook

import (
	"strconv"
	"time"

	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// WebhookView is the page of an organization's notifications.
type WebhookView struct {
	layout.ConsolePage
	form.ReplacedSetting

	Zone             *time.Location
	URL              string
	Enabled, Signing bool
	Alerts           bool // alerts are sent too
	Saved            bool // there is an address to test
	Secrets          []SecretRow
	Made             string // the new signing secret, shown once
	Fault            string
	Test             *DeliveryRow // the test that was just asked for
	State            string       // that the list is narrowed to
	Deliveries       []DeliveryRow
	Next, First, CSV string
}

// SecretRow is a signing secret as it may be shown: by its age.
type SecretRow struct {
	Since time.Time
	Until *time.Time
}

// DeliveryRow is a notification.
type DeliveryRow struct {
	ID, Kind, CallID, State string
	Created                 time.Time
	Next                    *time.Time // of the next try
	Tries                   []TryExchange
}

// TryExchange is one POST and its answer.
type TryExchange struct {
	At                time.Time
	URL, Error        string
	Status            int
	Took              time.Duration
	Request, Response string
	Number            int
}

// IsGood reports whether the receiver took it.
func (t TryExchange) IsGood() bool { return t.Status >= 200 && t.Status < 300 && t.Error == "" }

// stateName returns the colour and icon of a try.
func (t TryExchange) stateName() string {
	if t.IsGood() {
		return "delivered"
	}
	return "failed"
}

// statusText returns the answer's number, or that there was none.
func (t TryExchange) statusText(l locale.Language) string {
	if t.Status == 0 {
		return NoResponse.In(l)
	}
	return strconv.Itoa(t.Status)
}

// durationText returns the duration with its unit.
func (t TryExchange) durationText(l locale.Language) string {
	if t.Took < time.Second {
		return strconv.FormatInt(t.Took.Milliseconds(), 10) + " " + Milliseconds.In(l)
	}
	return strconv.FormatFloat(t.Took.Seconds(), 'f', 2, 64) + " " + Seconds.In(l)
}

// timeoutShare returns the share of the ten-second timeout that the attempt took, in thousandths.
func (t TryExchange) timeoutShare() string {
	return strconv.FormatInt(min(t.Took.Milliseconds()/10, 1000), 10)
}

// OneDelivery is the page of one notification.
type OneDelivery struct {
	layout.ConsolePage
	Zone     *time.Location
	Delivery DeliveryRow
}

// filterChips returns the chips above the list.
func (p WebhookView) filterChips() []string { return []string{"", "pending", "delivered", "failed"} }

// stateAddress returns the list narrowed to a state.
func stateAddress(state string) string {
	if state == "" {
		return "/console/webhook#deliveries"
	}
	return "/console/webhook?state=" + state + "#deliveries"
}

package webhook

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"munadi/store/delivery"
	"munadi/ui/calls"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// WebhookView is the page of an organization's notifications.
type WebhookView struct {
	layout.ConsolePage
	form.ReplacedSetting

	Zone             *time.Location
	Form             []form.Field
	Saved            bool // there is an address to test
	Secrets          []delivery.SigningSecret
	Made             string                 // the new signing secret, shown once
	Test             *delivery.Delivery     // the test that was just asked for
	State            delivery.DeliveryState // that the list is narrowed to
	Deliveries       []delivery.Delivery
	Subjects         Subjects
	Next, First, CSV string
}

func (p WebhookView) at() list.At { return list.At{Lang: p.Lang, Zone: p.Zone, CSRF: p.CSRF} }

// DeliveryView is the page of one notification.
type DeliveryView struct {
	layout.ConsolePage
	Zone     *time.Location
	Delivery delivery.Delivery
	Subjects Subjects
}

// Subject is what a delivery is about, as people call it.
type Subject struct {
	Call *calls.CallRow // nil: it is no call
	Name string         // of a campaign, of an alert; empty: only the id is known
	URL  string         // of its page
}

// Subjects are what deliveries are about, by the id that they name.
type Subjects map[string]Subject

var settingFields = []form.Declared[*delivery.WebhookSetting]{
	{
		Name: "url", Label: URL, Help: locale.DeliveryURLHint, Kind: form.Link, Usual: "https://example.com/munadi",
		Most: delivery.MaxURL, Attributes: templ.Attributes{"spellcheck": "false"},
		Value: func(w *delivery.WebhookSetting) any { return &w.URL },
	},
	{Name: "enabled", Label: Enabled, Value: func(w *delivery.WebhookSetting) any { return &w.Enabled }},
	{
		Name: "signing", Label: Signing, Help: SigningHint, Value: func(w *delivery.WebhookSetting) any { return &w.Signing },
	},
	{Name: "alerts", Label: Alerts, Help: AlertsHint, Value: func(w *delivery.WebhookSetting) any { return &w.Alerts }},
}

// BindSetting binds the form of the webhook.
func BindSetting(b *form.Binder, w *delivery.WebhookSetting) []form.Field {
	return form.BindDeclared(b, "", w, settingFields)
}

// DeclareLog declares the deliveries, on the page and as CSV with the last attempt.
func DeclareLog(about Subjects) list.Table[delivery.Delivery] {
	return append(list.Table[delivery.Delivery]{
		{Key: "id", Text: func(d delivery.Delivery) string { return d.ID }},
		{Title: locale.KitWhen, Cell: func(at list.At, d delivery.Delivery) templ.Component { return deliveryLink(at, d) }},
		{
			Title: Kind, Key: "kind", Text: func(d delivery.Delivery) string { return string(d.Kind) },
			Cell: func(at list.At, d delivery.Delivery) templ.Component { return deliveryKind(at.Lang, d.Kind) },
		},
		{
			Title: About, Key: "call_id", Class: "wide", Text: func(d delivery.Delivery) string { return d.CallID },
			Cell: func(at list.At, d delivery.Delivery) templ.Component { return SubjectLink(at.Lang, about, d) },
		},
	}, outcomeColumns...)
}

// outcomeColumns are the columns of what came of a delivery.
var outcomeColumns = list.Table[delivery.Delivery]{
	{Title: locale.DeliveryTries, Cell: func(at list.At, d delivery.Delivery) templ.Component { return dots(d, at.Lang) }},
	{
		Title: locale.KitState, Key: "state", Class: "state",
		Text: func(d delivery.Delivery) string { return string(d.State) },
		Cell: func(at list.At, d delivery.Delivery) templ.Component { return deliveryState(at.Lang, d.State) },
	},
	{Key: "created_at", Time: func(d delivery.Delivery) time.Time { return d.CreatedAt }},
	{Key: "tries", Text: func(d delivery.Delivery) string { return strconv.Itoa(len(d.Tries)) }},
	{Key: "last_try_at", Time: func(d delivery.Delivery) time.Time { return lastTry(d).At }},
	{Key: "last_status_code", Text: func(d delivery.Delivery) string {
		if code := lastTry(d).StatusCode; code > 0 {
			return strconv.Itoa(code)
		}
		return ""
	}},
	{Key: "last_error", Text: func(d delivery.Delivery) string { return lastTry(d).Error }},
}

// lastTry returns a delivery's last attempt; the zero attempt without one.
func lastTry(d delivery.Delivery) (last delivery.DeliveryTry) {
	if n := len(d.Tries); n > 0 {
		last = d.Tries[n-1]
	}
	return last
}

// tryState returns the state that gives an attempt its colour and icon.
func tryState(t delivery.DeliveryTry) string {
	if t.StatusCode >= 200 && t.StatusCode < 300 && t.Error == "" {
		return string(delivery.Delivered)
	}
	return string(delivery.Failed)
}

// answerText returns the answer's status, or that there was none.
func answerText(t delivery.DeliveryTry, l locale.Language) string {
	if t.StatusCode == 0 {
		return NoResponse.In(l)
	}
	return strconv.Itoa(t.StatusCode)
}

// durationText returns the duration of an attempt with its unit.
func durationText(t delivery.DeliveryTry, l locale.Language) string {
	if t.Duration < time.Second {
		return strconv.FormatInt(t.Duration.Milliseconds(), 10) + " " + Milliseconds.In(l)
	}
	return strconv.FormatFloat(t.Duration.Seconds(), 'f', 2, 64) + " " + Seconds.In(l)
}

// timeoutShare returns the share of the ten-second timeout that an attempt took, in thousandths.
func timeoutShare(t delivery.DeliveryTry) string {
	return strconv.FormatInt(min(t.Duration.Milliseconds()/10, 1000), 10)
}

// indentJSON indents JSON; other text is returned unchanged.
func indentJSON(body string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(body), "", "  ") != nil {
		return body
	}
	return out.String()
}

// stateAddress returns the list narrowed to a state.
func stateAddress(state delivery.DeliveryState) string {
	if state == "" {
		return "/console/webhook#deliveries"
	}
	return "/console/webhook?state=" + string(state) + "#deliveries"
}

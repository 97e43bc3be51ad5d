package alerts

import (
	"time"

	"github.com/a-h/templ"

	"munadi/store/alert"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// View is the page of the alerts.
type View struct {
	layout.ConsolePage
	form.ReplacedSetting

	Zone           *time.Location
	Open, Past     []alert.Alert       // that the visitor may see, the newest first
	ActorName      func(string) string // of who acknowledged an alert
	MayAcknowledge bool
	Governs        bool         // may set the mail server
	Sends          bool         // one is set
	MayTest        bool         // a recipient is set
	Webhook        bool         // alerts go to the webhook
	Form           []form.Field // of the recipients; nil for people who may not change them
	Fault          string
	Mails          []SentMail // the newest first
}

func (p View) at() list.At { return list.At{Lang: p.Lang, Zone: p.Zone, CSRF: p.CSRF} }

// SentMail is an e-mail with the alert that it is about; the zero alert for a test, or one that is gone.
type SentMail struct {
	alert.AlertMail
	About alert.Alert
}

// describe returns an alert's text.
func describe(l locale.Language, a alert.Alert) locale.AlertText {
	return locale.DescribeAlert(l, string(a.Kind), a.Subject, a.Facts)
}

// pastTable returns the table of past alerts.
func (p View) pastTable() list.Table[alert.Alert] {
	return list.Table[alert.Alert]{
		{Title: What, Cell: func(at list.At, a alert.Alert) templ.Component { return pastAlert(at.Lang, a) }},
		{Title: From, Time: func(a alert.Alert) time.Time { return a.RaisedAt }},
		{Title: Until, Time: func(a alert.Alert) time.Time { return list.MomentOf(a.ClearedAt) }},
		{Title: SeenBy, Text: func(a alert.Alert) string { return p.seenBy(a) }},
	}
}

// seenBy returns the name of who acknowledged an alert; empty for nobody.
func (p View) seenBy(a alert.Alert) string {
	if a.AcknowledgedAt == nil {
		return ""
	}
	return p.ActorName(a.AcknowledgedBy)
}

var mailTable = list.Table[SentMail]{
	{Title: locale.KitWhen, Time: func(m SentMail) time.Time { return m.CreatedAt }},
	{Title: To, Mono: true, Text: func(m SentMail) string { return m.To }},
	{Title: What, Cell: func(at list.At, m SentMail) templ.Component { return mailSubject(at.Lang, m) }},
	{Title: locale.KitState, Cell: func(at list.At, m SentMail) templ.Component {
		return mailState(at.Lang, m.AlertMail)
	}},
}

// Recipients is what the form of the e-mail addresses asks for.
type Recipients struct{ Addresses []string }

var recipientFields = []form.Declared[*Recipients]{{
	Name: "recipients", Label: Addresses, Help: RecipientsHint, Kind: form.Area, Dir: "ltr", Most: 2000,
	Attributes: templ.Attributes{"rows": "3", "autocomplete": "off", "spellcheck": "false"},
	Value:      func(r *Recipients) any { return &r.Addresses },
}}

// BindRecipients binds the form of the e-mail addresses.
func BindRecipients(b *form.Binder, r *Recipients) []form.Field {
	return form.BindDeclared(b, "", r, recipientFields)
}

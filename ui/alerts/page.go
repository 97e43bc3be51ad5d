package alerts

import (
	"time"

	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// View is the page of the alerts.
type View struct {
	layout.ConsolePage
	form.ReplacedSetting

	Zone           *time.Location
	Open, Past     []Row // the newest first
	MayAcknowledge bool
	MayChange      bool   // the addresses
	Sends          bool   // a mail server is set
	MayTest        bool   // a recipient is set
	Webhook        bool   // alerts go to the webhook
	Recipients     string // addresses, one a line
	Fault          string
	Mails          []MailRow
}

// Row is one alert.
type Row struct {
	locale.AlertText
	ID           string
	Appliance    string
	Installation bool // only the administrator of the appliance sees it
	Raised       time.Time
	Cleared      *time.Time
	SeenBy       string
	SeenAt       *time.Time
}

// MailRow is one e-mail.
type MailRow struct {
	At                             time.Time
	To, State, Error, Event, Title string
}

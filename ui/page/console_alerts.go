package page

import (
	"time"

	"munadi/ui/layout"
	"munadi/ui/locale"
)

// AlertsView is the page of the alerts.
type AlertsView struct {
	layout.ConsolePage
	ReplacedSetting

	Zone           *time.Location
	Open, Past     []AlertRow // the newest first
	MayAcknowledge bool
	MayChange      bool   // the addresses
	Sends          bool   // a mail server is set
	MayTest        bool   // a recipient is set
	Webhook        bool   // alerts go to the webhook
	Recipients     string // addresses, one a line
	Fault          string
	Mails          []AlertMailRow
}

// AlertRow is one alert.
type AlertRow struct {
	locale.AlertText
	ID           string
	Appliance    string
	Installation bool // only the administrator of the appliance sees it
	Raised       time.Time
	Cleared      *time.Time
	SeenBy       string
	SeenAt       *time.Time
}

// AlertMailRow is one e-mail.
type AlertMailRow struct {
	At                             time.Time
	To, State, Error, Event, Title string
}

package apimodel

import (
	"munadi/store/alert"
	"munadi/store/jsontext"
	"munadi/ui/locale"
)

// alertNotification is the body of a webhook notification of an alert. It has no call_id, so that a receiver of calls
// cannot take it for one.
type alertNotification struct {
	AlertID string       `json:"alert_id"`
	Payload AlertPayload `json:"payload"`
}

// AlertPayload is the payload of an alert that was raised or is over.
type AlertPayload struct {
	Type      string            `json:"type"` // "alert"
	Event     alert.AlertEvent  `json:"event"`
	Kind      alert.AlertKind   `json:"kind"`
	Scope     string            `json:"scope"`   // "organization" or "installation"
	Subject   *string           `json:"subject"` // a trunk's name; null where there is only one
	Appliance *string           `json:"appliance"`
	Message   string            `json:"message"` // in English
	Facts     map[string]string `json:"facts"`
	RaisedAt  Timestamp         `json:"raised_at"`
	ClearedAt *Timestamp        `json:"cleared_at"` // null while it is open
}

// AlertBodyOf returns the notification of an alert as JSON.
func AlertBodyOf(a alert.Alert, cleared bool) ([]byte, error) {
	said := locale.DescribeAlert(locale.English, string(a.Kind), a.Subject, a.Facts)
	p := AlertPayload{
		Type: "alert", Event: alert.Raised, Kind: a.Kind, Scope: "organization", Subject: orNull(a.Subject),
		Appliance: orNull(a.Appliance), Message: said.Title + ". " + said.What + " " + said.Do, Facts: a.Facts,
		RaisedAt: Timestamp(a.RaisedAt),
	}
	if a.Installation {
		p.Scope = "installation"
	}
	if p.Facts == nil {
		p.Facts = map[string]string{}
	}
	if cleared {
		p.Event, p.ClearedAt, p.Message = alert.Cleared, timeOf(a.ClearedAt), "Over: "+said.Title
	}
	return jsontext.MarshalUnescaped(alertNotification{a.ID, p})
}

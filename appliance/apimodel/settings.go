package apimodel

import (
	"cmp"
	"time"

	"munadi/store/account"
	"munadi/store/callerid"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/inbound"
	"munadi/store/scenario"
)

// plainScenario is the record without its methods, embedded for its JSON fields.
type plainScenario scenario.Scenario

// ScenarioBody is a scenario in the API's JSON.
type ScenarioBody struct {
	plainScenario
	CreatedAt *Timestamp `json:"created_at"` // both null for a built-in one
	UpdatedAt *Timestamp `json:"updated_at"`
	// PublishedVersion is the number of the version in force; null for a scenario that was only ever a draft.
	PublishedVersion *int `json:"published_version"`
}

// ScenarioOf returns s's body: that of the draft, if one lies beside it.
func ScenarioOf(s scenario.Scenario) ScenarioBody {
	latest := s.Latest()
	latest.Status = cmp.Or(latest.Status, scenario.PublishedStatus)
	return ScenarioBody{
		plainScenario(latest), TimestampOrNull(latest.CreatedAt), TimestampOrNull(latest.UpdatedAt), s.PublishedVersion(),
	}
}

// OrganizationBody is an organization with its dialling rules, flat.
type OrganizationBody struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	CreatedAt *Timestamp `json:"created_at"`
	callrules.CallRules
	UpdatedAt *Timestamp `json:"updated_at"` // of the rules; null if they were never set
}

// OrganizationOf returns the body of an organization; empty lists are [], not null.
func OrganizationOf(o account.Organization, r callrules.CallRules) OrganizationBody {
	if r.TimeZone == "" {
		r.TimeZone = "UTC"
	}
	if r.Recording == "" {
		r.Recording = callrules.RecordOn
	}
	r.TextForm, r.Numerals = cmp.Or(r.TextForm, "spoken"), cmp.Or(r.Numerals, "latn")
	for _, list := range []*[]string{&r.Holidays, &r.AllowedPrefixes, &r.BlockedPrefixes} {
		if *list == nil {
			*list = []string{}
		}
	}
	if r.CallerNumbers == nil {
		r.CallerNumbers = callerid.NumberRules{}
	}
	return OrganizationBody{o.ID, o.Name, TimestampOrNull(o.CreatedAt), r, TimestampOrNull(r.UpdatedAt)}
}

// SuppressionBody is an entry of the suppression list (do not call).
type SuppressionBody struct {
	PhoneNumber string     `json:"phone_number"`
	Reason      string     `json:"reason"`
	Source      string     `json:"source"`
	CreatedAt   *Timestamp `json:"created_at"`
	Until       *Timestamp `json:"until"` // null: permanent
}

// SuppressionOf returns s's body.
func SuppressionOf(s callrules.SuppressionEntry) SuppressionBody {
	return SuppressionBody{s.PhoneNumber, s.Reason, s.Source, TimestampOrNull(s.CreatedAt), timeOf(s.Until)}
}

// WebhookSetting is an organization's webhook in the API's JSON.
type WebhookSetting struct {
	URL     string       `json:"url"`
	Enabled bool         `json:"enabled"`
	Signing bool         `json:"signing"`
	Alerts  bool         `json:"alerts"`
	Secrets []SecretInfo `json:"secrets"` // those that sign now, the newest first
	// Secret is the value of a secret that was just created; null at any other time.
	Secret    *string    `json:"secret"`
	UpdatedAt *Timestamp `json:"updated_at"`
}

// SecretInfo is a signing secret without its value.
type SecretInfo struct {
	CreatedAt *Timestamp `json:"created_at"`
	ExpiresAt *Timestamp `json:"expires_at"`
}

// WebhookOf returns w's body at now.
func WebhookOf(w delivery.WebhookSetting, now time.Time) WebhookSetting {
	return WebhookSetting{
		URL: w.URL, Enabled: w.Enabled, Signing: w.Signing, Alerts: w.Alerts, Secrets: secretsOf(w, now),
		UpdatedAt: TimestampOrNull(w.UpdatedAt),
	}
}

// secretsOf returns the secrets that sign at now, without their values.
func secretsOf(w delivery.WebhookSetting, now time.Time) []SecretInfo {
	shown := []SecretInfo{}
	for _, s := range w.LiveSecrets(now) {
		shown = append(shown, SecretInfo{TimestampOrNull(s.CreatedAt), timeOf(s.ExpiresAt)})
	}
	return shown
}

// InboundBody is an organization's settings of inbound calls in the API's JSON.
type InboundBody struct {
	Routes       []inbound.Route `json:"routes"`
	CallbackDays int             `json:"callback_days"`
	Closed       *string         `json:"closed"`     // null if calls are taken at any time
	UpdatedAt    *Timestamp      `json:"updated_at"` // null if they were never set
}

// InboundOf returns s's body.
func InboundOf(s inbound.Settings) InboundBody {
	if s.Routes == nil {
		s.Routes = []inbound.Route{}
	}
	return InboundBody{s.Routes, s.CallbackDays, orNull(s.Closed), TimestampOrNull(s.UpdatedAt)}
}

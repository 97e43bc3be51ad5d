package apimodel

import (
	"time"

	"munadi/store/account"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/scenario"
)

// plainScenario is the record without methods, whose fields become the body's.
type plainScenario scenario.Scenario

// ScenarioBody is a scenario as the API answers it.
type ScenarioBody struct {
	plainScenario
	CreatedAt *Timestamp `json:"created_at"` // null of a built-in one, as is the other
	UpdatedAt *Timestamp `json:"updated_at"`
}

// ScenarioOf is s's body.
func ScenarioOf(s scenario.Scenario) ScenarioBody {
	return ScenarioBody{plainScenario(s), TimestampOrNull(s.CreatedAt), TimestampOrNull(s.UpdatedAt)}
}

// OrganizationBody is an organization with its dialling rules, flat.
type OrganizationBody struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	CreatedAt *Timestamp `json:"created_at"`
	callrules.CallRules
	UpdatedAt *Timestamp `json:"updated_at"` // of the rules; null while nobody set any
}

// OrganizationOf is the body of an organization; lists that are empty are lists all the same.
func OrganizationOf(o account.Organization, r callrules.CallRules) OrganizationBody {
	if r.TimeZone == "" {
		r.TimeZone = "UTC"
	}
	if r.Recording == "" {
		r.Recording = callrules.RecordOn
	}
	for _, list := range []*[]string{&r.Holidays, &r.AllowedPrefixes, &r.BlockedPrefixes} {
		if *list == nil {
			*list = []string{}
		}
	}
	return OrganizationBody{o.ID, o.Name, TimestampOrNull(o.CreatedAt), r, TimestampOrNull(r.UpdatedAt)}
}

// SuppressionBody is a number that is not to be called.
type SuppressionBody struct {
	PhoneNumber string     `json:"phone_number"`
	Reason      string     `json:"reason"`
	Source      string     `json:"source"`
	CreatedAt   *Timestamp `json:"created_at"`
	Until       *Timestamp `json:"until"` // null: for good
}

// SuppressionOf is s's body.
func SuppressionOf(s callrules.SuppressionEntry) SuppressionBody {
	return SuppressionBody{s.PhoneNumber, s.Reason, s.Source, TimestampOrNull(s.CreatedAt), timeOf(s.Until)}
}

// WebhookSetting is where an organization's notifications go.
type WebhookSetting struct {
	URL     string       `json:"url"`
	Enabled bool         `json:"enabled"`
	Signing bool         `json:"signing"`
	Secrets []SecretInfo `json:"secrets"` // those that sign now, the newest first
	// Secret is the value of one that was just made; null at any other time.
	Secret    *string    `json:"secret"`
	UpdatedAt *Timestamp `json:"updated_at"`
}

// SecretInfo is a signing secret without its value.
type SecretInfo struct {
	CreatedAt *Timestamp `json:"created_at"`
	ExpiresAt *Timestamp `json:"expires_at"`
}

// WebhookOf is w's body at now.
func WebhookOf(w delivery.WebhookSetting, now time.Time) WebhookSetting {
	body := WebhookSetting{
		URL: w.URL, Enabled: w.Enabled, Signing: w.Signing, Secrets: []SecretInfo{}, UpdatedAt: TimestampOrNull(w.UpdatedAt),
	}
	for _, s := range w.LiveSecrets(now) {
		body.Secrets = append(body.Secrets, SecretInfo{TimestampOrNull(s.CreatedAt), timeOf(s.ExpiresAt)})
	}
	return body
}

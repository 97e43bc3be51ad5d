package wire

import (
	"time"

	"munadi/store/delivery"
	"munadi/store/dialling"
	"munadi/store/org"
	"munadi/store/scenario"
)

// plainScenario is the record without methods, whose fields become the body's.
type plainScenario scenario.Scenario

// Scenario is a scenario as the API answers it.
type Scenario struct {
	plainScenario
	CreatedAt *Time `json:"created_at"` // null of a built-in one, as is the other
	UpdatedAt *Time `json:"updated_at"`
}

// ScenarioOf is s's body.
func ScenarioOf(s scenario.Scenario) Scenario {
	return Scenario{plainScenario(s), Stamp(s.CreatedAt), Stamp(s.UpdatedAt)}
}

// Organization is an organization with its dialling rules, flat.
type Organization struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	CreatedAt *Time  `json:"created_at"`
	dialling.Rules
	UpdatedAt *Time `json:"updated_at"` // of the rules; null while nobody set any
}

// OrganizationOf is the body of an organization; lists that are empty are lists all the same.
func OrganizationOf(o org.Organization, r dialling.Rules) Organization {
	if r.TimeZone == "" {
		r.TimeZone = "UTC"
	}
	if r.Recording == "" {
		r.Recording = dialling.RecordOn
	}
	for _, list := range []*[]string{&r.Holidays, &r.AllowedPrefixes, &r.BlockedPrefixes} {
		if *list == nil {
			*list = []string{}
		}
	}
	return Organization{o.ID, o.Name, Stamp(o.CreatedAt), r, Stamp(r.UpdatedAt)}
}

// Suppression is a number that is not to be called.
type Suppression struct {
	PhoneNumber string `json:"phone_number"`
	Reason      string `json:"reason"`
	Source      string `json:"source"`
	CreatedAt   *Time  `json:"created_at"`
	Until       *Time  `json:"until"` // null: for good
}

// SuppressionOf is s's body.
func SuppressionOf(s dialling.Suppression) Suppression {
	return Suppression{s.PhoneNumber, s.Reason, s.Source, Stamp(s.CreatedAt), timeOf(s.Until)}
}

// WebhookSetting is where an organization's notifications go.
type WebhookSetting struct {
	URL     string   `json:"url"`
	Enabled bool     `json:"enabled"`
	Signing bool     `json:"signing"`
	Secrets []Secret `json:"secrets"` // those that sign now, the newest first
	// Secret is the value of one that was just made; null at any other time.
	Secret    *string `json:"secret"`
	UpdatedAt *Time   `json:"updated_at"`
}

// Secret is a signing secret without its value.
type Secret struct {
	CreatedAt *Time `json:"created_at"`
	ExpiresAt *Time `json:"expires_at"`
}

// WebhookOf is w's body at now.
func WebhookOf(w delivery.Webhook, now time.Time) WebhookSetting {
	body := WebhookSetting{
		URL: w.URL, Enabled: w.Enabled, Signing: w.Signing, Secrets: []Secret{}, UpdatedAt: Stamp(w.UpdatedAt),
	}
	for _, s := range w.Live(now) {
		body.Secrets = append(body.Secrets, Secret{Stamp(s.CreatedAt), timeOf(s.ExpiresAt)})
	}
	return body
}

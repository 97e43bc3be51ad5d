// Package service holds the use cases of the appliance. A use case takes parsed input, applies the rules and limits,
// makes one change of the store with its audit entry, and returns the result or an error that a door can translate: a
// [*ViolationError], a [*ConflictError], or one of the store. Doors parse requests, call a use case and render its
// result, so that two doors cannot differ in a rule.
//
// The package imports the store and the API keys, and no HTTP, page or worker. One file holds the use cases of one kind
// of record.
package service

import (
	"context"
	"encoding/json"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/store/blob"
	"munadi/store/restaurant"
	"munadi/store/scenario"
	"munadi/store/siptrunk"
	"munadi/store/strictjson"
)

// PlatformStore is the part of store.Store that the use cases change.
type PlatformStore interface {
	store.CallStore
	store.CampaignStore
	store.ScenarioStore
	store.CallRulesStore
	store.InboundStore
	store.MailStore
	store.TrunkStore
	store.OutboxStore
	store.DestinationStore
	store.AlertStore
	store.BulkStore
	store.ReplayStore
	CreateOrganization(ctx context.Context, o account.Organization, actor string) error
	RequireSecondFactor(ctx context.Context, id, actor string, now time.Time, required bool) error
	FindPhrases(ctx context.Context, orgID string) (*restaurant.PhraseSet, error)
	ChangePhrases(ctx context.Context, orgID, actor string, now time.Time, change func(*restaurant.PhraseSet) error) error
	// AddAudit adds the audit entry of a change outside of the store, such as a file.
	AddAudit(ctx context.Context, orgID string, e store.AuditEntry) error
}

// ScenarioChecker checks scenarios against the rules of the installation and the organization; it is implemented by
// *scenariocheck.ScenarioChecker.
type ScenarioChecker interface {
	CheckSaved(ctx context.Context, s scenario.Scenario) (faults, warnings []strictjson.Violation, err error)
	CheckBooked(ctx context.Context, s scenario.Scenario, variables map[string]any) ([]strictjson.Violation, error)
	// CheckRows is CheckBooked for many calls, by their variables: the violations of all rows, and of each row.
	CheckRows(
		ctx context.Context, s scenario.Scenario, rows []map[string]any,
	) (all []strictjson.Violation, each [][]strictjson.Violation, err error)
}

// KeyIssuer issues and revokes API keys; *auth.KeyVerifier is one.
type KeyIssuer interface {
	IssueKey(
		ctx context.Context, orgID, name string, scopes []account.KeyScope, actor string,
	) (account.APIKey, string, error)
	RevokeOwn(ctx context.Context, orgID, id, actor string) (account.APIKey, error)
}

// UseCases are the use cases, which all doors share. They are safe for concurrent use.
type UseCases struct {
	Store      PlatformStore
	Keys       KeyIssuer
	Recordings RecordingFiles
	Verifier   *blob.RecordingVerifier // of recordings; nil: each opening reads the whole file
	// Templates are the scenarios that a new one may begin as, by id.
	Templates map[string]scenario.Scenario
	// BuiltIn returns the scenarios that every organization has.
	BuiltIn func() []scenario.Scenario
	// Scenarios validates scenarios when they are saved and booked; nil: no further validation.
	Scenarios ScenarioChecker
	// RunTests runs the tests of a valid scenario by the rules of its organization.
	RunTests func(ctx context.Context, s scenario.Scenario) (scenario.TestRun, error)
	// TryTest returns the steps and the report that a test's lines lead to; nil: tests have no expected steps.
	TryTest func(
		ctx context.Context, s scenario.Scenario, t scenario.ScenarioTest,
	) (steps []string, report json.RawMessage, err error)
	// FindProposals returns the phrases that a scenario could learn from corrections, dismissed ones too; nil: none.
	FindProposals func(ctx context.Context, orgID string, s scenario.Scenario) ([]scenario.PhraseProposal, error)
	Lines         LineRecorder
	// CheckURL returns why a webhook may not be sent to a URL, as a sentence for the person who set it; nil if it may
	// (SSRF protection).
	CheckURL func(ctx context.Context, url string) error
	// OperatorMail returns the operator's e-mail addresses, and whether e-mail is configured; nil: it is not.
	OperatorMail func(ctx context.Context) (addresses []string, sends bool)
	// SealPassword encrypts the password of a mail server for its host and user.
	SealPassword func(s alert.MailSetting, password string) ([]byte, error)
	// CheckTrunk returns the fields of a SIP trunk that are wrong, and why.
	CheckTrunk func(t siptrunk.Trunk) FieldViolations
	// SealTrunkPassword encrypts the password of a trunk for its address and user.
	SealTrunkPassword func(t siptrunk.Trunk, password string) ([]byte, error)
	// TrunksChanged is called after a change of the SIP trunks; nil: nobody waits for it.
	TrunksChanged func()
	// Models lists the installed speech models; nil: there are none.
	Models func() []string
	// CallIn simulates callers; nil where real telephones ring.
	CallIn CallerSimulator
	Now    func() time.Time
}

// Caller identifies who requests a change: the organization, and the actor of the audit trail, such as "key:ID" or
// "user:ID".
type Caller struct{ OrgID, Actor string }

// now returns the time of a change.
func (u *UseCases) now() time.Time { return u.Now().UTC() }

package api_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/scenario"
	"munadi/store/storetest"
)

// memory is the real store without a disk, which can be told to fail.
type memory struct {
	*badger.BadgerStore
	broken error // what these methods say when it is set
}

func newMemory(t testing.TB) *memory {
	t.Helper()
	s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true, Logger: slog.New(slog.DiscardHandler)})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	for _, id := range []string{"acme", "rival"} {
		must(t, s.CreateOrganization(context.Background(), account.Organization{ID: id, Name: "The " + id, CreatedAt: began}, "test"))
	}
	return &memory{BadgerStore: s}
}

func (m *memory) FindOrganization(ctx context.Context, id string) (account.Organization, error) {
	if m.broken != nil {
		return account.Organization{}, m.broken
	}
	return m.BadgerStore.FindOrganization(ctx, id)
}

func (m *memory) FindScenario(ctx context.Context, orgID, id string) (scenario.Scenario, error) {
	if m.broken != nil {
		return scenario.Scenario{}, m.broken
	}
	return m.BadgerStore.FindScenario(ctx, orgID, id)
}

func (m *memory) ListScenarios(ctx context.Context, orgID string) ([]scenario.Scenario, error) {
	if m.broken != nil {
		return nil, m.broken
	}
	return m.BadgerStore.ListScenarios(ctx, orgID)
}

func (m *memory) FindWebhook(ctx context.Context, orgID string) (delivery.WebhookSetting, error) {
	if m.broken != nil {
		return delivery.WebhookSetting{}, m.broken
	}
	return m.BadgerStore.FindWebhook(ctx, orgID)
}

// booked lists acme's calls, newest first.
func (b *bench) booked() []call.Call {
	b.Helper()
	page, err := b.store.CallsPage(b.Context(), "acme", store.CallFilter{Limit: 200})
	must(b, err)
	return page.Items
}

// rules sets acme's rules.
func (b *bench) rules(r callrules.CallRules) {
	b.Helper()
	must(b, storetest.ReplaceRules(b.Context(), b.store, "acme", r, "test", b.now))
}

// own adds a scenario of acme's.
func (b *bench) own(s scenario.Scenario) {
	b.Helper()
	s.OrgID, s.BuiltIn = "acme", false
	must(b, b.store.PutScenario(b.Context(), s, "test", b.now))
}

// reach books a call a minute ago and brings it to a status as the workers do. A sound becomes its recording.
func (b *bench) reach(orgID string, status call.CallStatus, sound []byte) call.Call {
	b.Helper()
	ctx, at, id := b.Context(), b.now.Add(-time.Minute), call.NewID()
	_, err := b.store.BookCall(ctx, call.Call{
		ID: id, OrgID: orgID, Status: call.Scheduled, PhoneNumber: "+966500000042", ScenarioID: "reminder",
		Booking: call.Immediate, CreatedAt: at, ScheduledAt: at, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
	}, "test", nil)
	must(b, err)
	switch status {
	case call.Scheduled:
	case call.Cancelled:
		_, err = b.store.CancelCall(ctx, orgID, id, "test", at)
	default:
		b.dial(orgID, id, status, sound)
	}
	must(b, err)
	c, err := b.store.FindCall(ctx, orgID, id)
	must(b, err)
	return c
}

// dial is the part of reach that a line takes.
func (b *bench) dial(orgID, id string, status call.CallStatus, sound []byte) {
	b.Helper()
	ctx, at, name := b.Context(), b.now.Add(-time.Minute), ""
	_, err := b.store.ReleaseCall(ctx, orgID, id, at)
	must(b, err)
	if sound != nil {
		name = id + ".wav"
		must(b, os.WriteFile(filepath.Join(string(b.files), name), sound, 0o600))
	}
	if status == call.InProgress || status == call.Completed {
		_, err = b.store.AnswerCall(ctx, orgID, id, name, at.Add(time.Second))
		must(b, err)
	}
	if !status.IsFinal() {
		return
	}
	length := 2
	outcome := call.CallOutcome{
		Status: status, Duration: &length, Recording: name,
		Messages: []call.Message{{Role: call.User, Content: "نعم", End: 1, Confidence: 0.9}},
	}
	if status != call.Completed {
		outcome = call.CallOutcome{Status: status, Failure: &call.CallFailure{Reason: call.Declined}}
	}
	_, err = b.store.FinishCall(ctx, orgID, id, outcome, nil, at.Add(3*time.Second))
	must(b, err)
}

// recorded is a call of an organization that was completed; without a sound, it was not recorded.
func (b *bench) recorded(orgID string, sound []byte) call.Call {
	b.Helper()
	return b.reach(orgID, call.Completed, sound)
}

package api_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/memory"
	"munadi/store/scenario"
	"munadi/store/storetest"
)

// faultyStore is the real store in memory, whose methods can be made to fail.
type faultyStore struct {
	*memory.Store
	broken error // what these methods say when it is set
}

func newMemory(t testing.TB) *faultyStore {
	t.Helper()
	s := memory.OpenStore()
	t.Cleanup(func() { mustSucceed(t, s.Close()) })
	for _, id := range []string{"acme", "rival"} {
		mustSucceed(t, s.CreateOrganization(context.Background(), account.Organization{ID: id, Name: "The " + id, CreatedAt: began}, "test"))
	}
	return &faultyStore{Store: s}
}

func (m *faultyStore) FindOrganization(ctx context.Context, id string) (account.Organization, error) {
	if m.broken != nil {
		return account.Organization{}, m.broken
	}
	return m.Store.FindOrganization(ctx, id)
}

func (m *faultyStore) FindScenario(ctx context.Context, orgID, id string) (scenario.Scenario, error) {
	if m.broken != nil {
		return scenario.Scenario{}, m.broken
	}
	return m.Store.FindScenario(ctx, orgID, id)
}

func (m *faultyStore) ListScenarios(ctx context.Context, orgID string) ([]scenario.Scenario, error) {
	if m.broken != nil {
		return nil, m.broken
	}
	return m.Store.ListScenarios(ctx, orgID)
}

func (m *faultyStore) FindWebhook(ctx context.Context, orgID string) (delivery.WebhookSetting, error) {
	if m.broken != nil {
		return delivery.WebhookSetting{}, m.broken
	}
	return m.Store.FindWebhook(ctx, orgID)
}

// listCalls returns acme's calls, newest first.
func (b *apiFixture) listCalls() []call.Call {
	b.Helper()
	page, err := b.store.CallsPage(b.Context(), "acme", store.CallFilter{Limit: 200})
	mustSucceed(b, err)
	return page.Items
}

// setRules sets acme's rules.
func (b *apiFixture) setRules(r callrules.CallRules) {
	b.Helper()
	mustSucceed(b, storetest.ReplaceRules(b.Context(), b.store, "acme", r, "test", b.now))
}

// addScenario adds a scenario to acme.
func (b *apiFixture) addScenario(s scenario.Scenario) {
	b.Helper()
	s.OrgID, s.BuiltIn = "acme", false
	mustSucceed(b, b.store.PutScenario(b.Context(), s, "test", b.now))
}

// bringCallTo books a call that was due a minute ago and changes it to a status as the workers do. If sound is given,
// it becomes the recording.
func (b *apiFixture) bringCallTo(orgID string, status call.CallStatus, sound []byte) call.Call {
	b.Helper()
	ctx, at, id := b.Context(), b.now.Add(-time.Minute), call.NewID()
	_, err := b.store.BookCall(ctx, call.Call{
		ID: id, OrgID: orgID, Status: call.Scheduled, PhoneNumber: "+966500000042", ScenarioID: "reminder",
		Booking: call.Immediate, CreatedAt: at, ScheduledAt: at, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
	}, "test", nil)
	mustSucceed(b, err)
	switch status {
	case call.Scheduled:
	case call.Cancelled:
		_, err = b.store.CancelCall(ctx, orgID, id, "test", at)
	default:
		b.dialCall(orgID, id, status, sound)
	}
	mustSucceed(b, err)
	c, err := b.store.FindCall(ctx, orgID, id)
	mustSucceed(b, err)
	return c
}

// dialCall is the part of reach that a line takes.
func (b *apiFixture) dialCall(orgID, id string, status call.CallStatus, sound []byte) {
	b.Helper()
	ctx, at, name := b.Context(), b.now.Add(-time.Minute), ""
	_, err := b.store.ReleaseCall(ctx, orgID, id, at)
	mustSucceed(b, err)
	if sound != nil {
		name = id + ".wav"
		mustSucceed(b, os.WriteFile(filepath.Join(string(b.files), name), sound, 0o600))
	}
	if status == call.InProgress || status == call.Completed {
		_, err = b.store.AnswerCall(ctx, orgID, id, name, at.Add(time.Second))
		mustSucceed(b, err)
	}
	if !status.IsFinal() {
		return
	}
	length := 2
	outcome := call.CallOutcome{
		Status: status, Duration: &length, Recording: name, RecordingSum: sumOf(sound),
		Messages: []call.Message{{Role: call.User, Content: "نعم", End: 1, Confidence: 0.9}},
	}
	if status != call.Completed {
		outcome = call.CallOutcome{Status: status, Failure: &call.CallFailure{Reason: call.Declined}}
	}
	_, err = b.store.FinishCall(ctx, orgID, id, outcome, nil, at.Add(3*time.Second))
	mustSucceed(b, err)
}

func sumOf(sound []byte) *call.RecordingSum {
	return &call.RecordingSum{Size: int64(len(sound)), SHA256: fmt.Sprintf("%x", sha256.Sum256(sound))}
}

// addRecordedCall adds a completed call of an organization; without sound it has no recording.
func (b *apiFixture) addRecordedCall(orgID string, sound []byte) call.Call {
	b.Helper()
	return b.bringCallTo(orgID, call.Completed, sound)
}

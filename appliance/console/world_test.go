package console_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/console"
	"munadi/appliance/console/kit"
	"munadi/appliance/modelhub"
	"munadi/appliance/recognizer"
	"munadi/appliance/service"
	"munadi/appliance/ssehub"
	"munadi/assets/scenarios"
	"munadi/assets/web"
	"munadi/engine/audio"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/store/badger"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/campaign"
	"munadi/store/delivery"
	"munadi/store/inbound"
	"munadi/store/live"
	"munadi/store/replay"
	"munadi/store/restaurant"
	"munadi/store/scenario"
	"munadi/store/siptrunk"
	"munadi/store/storetest"
)

// The users of a fixture besides those of the bench, by their session token.
const (
	governor account.UserRole = "governor" // owns the appliance's own organization
	rival    account.UserRole = "rival"    // owns another one
)

// peopleGate authenticates the three users of the bench, the governor and the rival.
type peopleGate struct{ roleGate }

func (g peopleGate) LookUpSession(ctx context.Context, token string) (account.UserSession, account.User, error) {
	home, is := map[string]string{string(governor): account.Default, string(rival): "other"}[token]
	if !is {
		s, u, err := g.roleGate.LookUpSession(ctx, token)
		if err == nil {
			u.Password, err = goodHash()
		}
		return s, u, err
	}
	u := account.User{ID: "id-" + token, OrgID: home, Name: token, Role: account.Owner}
	return account.UserSession{UserID: u.ID, Hash: []byte(token)}, u, nil
}

func (g peopleGate) PeekSession(ctx context.Context, token string) (account.UserSession, account.User, error) {
	return g.LookUpSession(ctx, token)
}

// fakeLive starts sessions without audio.
type fakeLive struct {
	store store.Store
	now   time.Time
}

func (l fakeLive) StartSession(ctx context.Context, orgID, by, device string, _ time.Duration) (live.LiveSession, error) {
	s := live.LiveSession{ID: "01890000-0000-7000-8000-0000000000ff", OrgID: orgID, Source: live.Server, By: by, Device: device, StartedAt: l.now}
	return s, l.store.BeginLive(ctx, s)
}

func (l fakeLive) StopSession(ctx context.Context, orgID, id string) error {
	err := l.store.EndLive(ctx, orgID, id, l.now, 1, nil)
	if store.CodeOf(err) == store.CodeNotFound {
		return nil // as in package live, an unknown session is no error
	}
	return err
}

func (fakeLive) IsRunning(string) bool { return true }
func (fakeLive) IssueToken(string, string, string, auth.AccessCheck) (_, _ string, _ error) {
	return "token", "id", nil
}

func (fakeLive) OpenSound(context.Context, live.LiveSession) (blob.RecordingFile, error) {
	return nil, fs.ErrNotExist
}
func (fakeLive) RemoveSound(string, string) error { return nil }

// consoleFixture is a bench with one record of every kind that routes name, in organization acme.
type consoleFixture struct {
	*callBench
	accounts                              *auth.AccountService
	scheduled, running, over              call.Call
	campaign                              campaign.Campaign
	key, someone, delivery, liveID, onAir string
	alert, destination, event, replay     string
}

// goodHash is the hash of the valid password, computed once since hashing is slow by design.
var goodHash = sync.OnceValues(func() (string, error) {
	s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return "", err
	}
	defer func() { _ = s.Close() }()
	ctx := context.Background()
	if err := s.CreateOrganization(ctx, account.Organization{ID: "acme", Name: "acme"}, "test"); err != nil {
		return "", err
	}
	accounts := auth.NewAccounts(s, auth.InstallationSecret{1}, time.Now, slog.New(slog.DiscardHandler))
	u, err := accounts.CreateUser(ctx, "acme", "somebody", account.Viewer, goodPassword, "test")
	return u.Password, err
})

// parseBuiltIn parses the built-in scenarios once for all tests.
var parseBuiltIn = sync.OnceValues(func() ([]scenario.Scenario, error) {
	return scenario.BuiltIn(scenarios.ScenarioFiles())
})

// parseTemplates parses the templates once for all tests.
var parseTemplates = sync.OnceValues(func() (map[string]scenario.Scenario, error) {
	return scenario.LoadTemplates(scenarios.ScenarioFiles())
})

func builtInScenarios(t *testing.T) []scenario.Scenario {
	t.Helper()
	all, err := parseBuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(all)
}

func newFixture(t *testing.T) *consoleFixture {
	t.Helper()
	w := openFixture(t, newBench)
	w.addEverything()
	return w
}

// openFixture returns a fixture without records on a bench that open makes.
func openFixture(
	t *testing.T, open func(*testing.T, ...func(*console.Dependencies)) *consoleBench,
) *consoleFixture {
	t.Helper()
	builtIn := builtInScenarios(t)
	w := &consoleFixture{callBench: &callBench{events: ssehub.NewHub(ssehub.HubOptions{})}}
	t.Cleanup(w.events.Close)
	var err error
	if w.recordings, err = blob.OpenFolder(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	w.consoleBench = open(t, func(d *console.Dependencies) {
		quiet, now := slog.New(slog.DiscardHandler), d.Now
		w.accounts = auth.NewAccounts(d.Store, auth.InstallationSecret{1}, now, quiet)
		d.Gate, d.Accounts = peopleGate{}, w.accounts
		d.UseCases.Keys = auth.NewKeyVerifier(d.Store, auth.InstallationSecret{1}, now, quiet)
		d.UseCases.Recordings = w.recordings
		d.UseCases.CheckURL = func(context.Context, string) error { return nil }
		d.UseCases.CallIn = func(context.Context, string, string) (int, error) { return 0, nil }
		d.UseCases.SealPassword = func(alert.MailSetting, string) ([]byte, error) { return []byte{1}, nil }
		d.UseCases.CheckTrunk = func(siptrunk.Trunk) service.FieldViolations { return nil }
		d.UseCases.SealTrunkPassword = func(siptrunk.Trunk, string) ([]byte, error) { return []byte{1}, nil }
		d.Trunks.AreFixed = func() bool { return false }
		d.Inbound.RefusedCalls = func() []call.RefusedCall { return nil }
		d.Alerts.FixedServer = func() *alert.MailSetting { return nil }
		d.Alerts.TestMail = func(context.Context, string) error { return nil }
		d.UseCases.OperatorMail = func(context.Context) ([]string, bool) { return []string{"operator@example.com"}, true }
		d.PublicURL = func() string { return "http://munadi.test" }
		d.Phrases.BuiltInPhrases = func() restaurant.PhraseSet { return restaurant.PhraseSet{} }
		d.Speaker, d.Workbench.Decoder, d.Workbench.Samples = &fakeSpeaker{}, &fakeDecoder{}, web.WebFiles()
		d.Workbench.OpenSound = func(ctx context.Context, r io.ReadSeeker, longest time.Duration, channel audio.ChannelChoice) (recognizer.OpenedSound, error) {
			return audio.OpenStream(ctx, r, audio.DecodeOptions{MaxDuration: longest, FFmpeg: "none", Channel: channel})
		}
		d.System.OpenSound = d.Workbench.OpenSound
		d.UseCases.BuiltIn = func() []scenario.Scenario { return builtIn }
		d.Calls.Recordings, d.Events, d.Calls.Sound = w.recordings, w.events, ssehub.NewSoundHub()
		d.Live.Sessions = fakeLive{d.Store, d.Now()}
		d.Live.Microphones = func(context.Context) ([]string, error) { return []string{"Desk"}, nil }
		d.System.BackUp = func() {}
		d.System.Models, d.System.ModelTopic = newModelWorker(t, d.Store), ssehub.EventTopic{OrgID: account.Default, Name: "models"}
		d.System.Voices = newVoiceDesk(t, d.Store)
		d.System.FindModel = func(_ context.Context, name, _ string) (*modelhub.Model, error) {
			return &modelhub.Model{Name: name, Revision: "0123456", License: "cc-by-4.0", Card: "http://hub.test/" + name}, nil
		}
		d.Vitals = func() kit.ApplianceVitals { return kit.ApplianceVitals{} }
	})
	return w
}

// addEverything adds one record of each kind.
func (w *consoleFixture) addEverything() {
	w.t.Helper()
	w.addPeople()
	w.scheduled, w.running = w.bookCall("acme", anyNumber, nil), w.bookCall("acme", "+966512345602", nil)
	_, err := w.store.ReleaseCall(w.t.Context(), "acme", w.running.ID, w.running.ScheduledAt)
	w.mustSucceed(err)
	w.addDestination()
	w.mustSucceed(w.store.ChangeTrunks(w.t.Context(), account.Default, "test", w.now, func(kept *siptrunk.Setting) error {
		kept.Trunks = []siptrunk.Trunk{{Name: "stc", Address: "sip:192.0.2.1"}}
		return nil
	}))
	w.over = w.bookCall("acme", "+966512345603", func(c *call.Call) { c.Metadata = map[string]string{"order": "4711"} })
	w.over = w.endCall(w.over, w.recordTalk(w.over))
	w.deliverEvent()
	w.campaign = w.campaignOf("acme", "Visits", 2)
	w.addLiveSessions()
	w.addIntegrations()
	w.addReplay()
	w.alert = w.raiseAlert("acme", alert.CallingStopped).ID
	w.raiseAlert(account.Default, alert.DiskFull)
}

// addReplay adds a running replay, with a result of the call that is over.
func (w *consoleFixture) addReplay() {
	w.t.Helper()
	w.replay = "replay_1"
	_, err := w.store.ChangeReplays(w.t.Context(), "acme", func(b *replay.Board) (store.AuditEntry, error) {
		b.AddReplay(replay.Replay{ID: w.replay, ScenarioID: "restaurant_order", Total: 2, CreatedAt: w.now})
		b.FindReplay(w.replay).Claim = "test"
		return store.AuditEntry{}, nil
	})
	if err == nil {
		err = w.store.AddReplayResult(w.t.Context(), "acme", w.replay, "test", replay.Result{
			CallID: w.over.ID, State: replay.Changed, OldStatus: "completed", NewStatus: "completed", OldTurns: 3, NewTurns: 3,
			Report: []replay.Difference{
				{Name: "quantity", Old: "2", New: "3", At: 4.25},
				{Name: "confirmed", Old: "true", New: "null", At: 4.25},
				{Name: "new_date", Old: `"2026-12-03"`, New: `"2026-12-04"`, At: 4.25},
			}, At: 4.25,
		}, w.now)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// addDestination adds a destination of completed calls.
func (w *consoleFixture) addDestination() {
	w.t.Helper()
	to := delivery.NewDestination("http://shop.test/events", []delivery.EventType{delivery.CallCompleted}, true, w.now)
	w.destination = to.ID
	w.mustSucceed(w.store.ChangeDestinations(w.t.Context(), "acme", func(b *delivery.DestinationBoard) (store.AuditEntry, error) {
		b.Destinations = append(b.Destinations, to)
		return store.AuditEntry{}, nil
	}))
}

// deliverEvent delivers the event of the call that ended.
func (w *consoleFixture) deliverEvent() {
	w.t.Helper()
	page, err := w.store.ListEvents(w.t.Context(), "acme", w.destination, "", 1, "")
	w.mustSucceed(err)
	w.event = page.Items[0].ID
	_, err = w.store.RecordEventTry(w.t.Context(), "acme", w.destination, w.event, delivery.DeliveryTry{
		At: w.now, StatusCode: http.StatusOK, Sent: []byte(`{}`),
	}, w.now)
	w.mustSucceed(err)
}

// raiseAlert raises an alert of an organization that is mailed to duty@example.com.
func (w *consoleFixture) raiseAlert(orgID string, kind alert.AlertKind) (made alert.Alert) {
	w.t.Helper()
	_, err := w.store.ChangeAlerts(w.t.Context(), orgID, func(b *alert.AlertBoard) (store.AlertEffects, error) {
		b.Recipients = []string{"duty@example.com"}
		made, _ = b.RaiseAlert(alert.Alert{Kind: kind, Facts: map[string]string{"free": "1 GiB", "size": "9 GiB"}}, w.now)
		return store.AlertEffects{}, nil
	})
	w.mustSucceed(err)
	return made
}

// campaignOf creates a campaign of some calls.
func (w *consoleFixture) campaignOf(orgID, name string, people int) campaign.Campaign {
	w.t.Helper()
	c := campaign.Campaign{
		ID: campaign.NewID(), OrgID: orgID, Name: name, ScenarioID: "appointment_confirmation", Status: campaign.Running,
		CreatedAt: w.scheduled.CreatedAt,
		Skipped:   []campaign.SkippedRow{{Index: 1, PhoneNumber: "0512", Reason: "invalid", Message: "must be an E.164 number"}},
	}
	var calls []call.Call
	for i := range people {
		one := w.scheduled
		one.ID, one.OrgID, one.CampaignID, one.ScenarioID = call.NewID(), orgID, c.ID, c.ScenarioID
		one.Variables, one.PhoneNumber, one.Attempt.ChainID = nil, fmt.Sprintf("+96651234571%d", i), one.ID
		calls = append(calls, one)
	}
	made, err := w.store.CreateCampaign(w.t.Context(), c, calls, "test", nil)
	w.mustSucceed(err)
	return made
}

// addPeople adds the users.
func (w *consoleFixture) addPeople() {
	ctx := w.t.Context()
	hash, err := goodHash()
	w.mustSucceed(err)
	w.mustSucceed(w.store.CreateOrganization(ctx, account.Organization{ID: account.Default, Name: "Default", CreatedAt: w.now}, "test"))
	add := func(id, orgID string, role account.UserRole) {
		w.mustSucceed(w.store.CreateUser(ctx, account.User{
			ID: id, OrgID: orgID, Name: id, Role: role, Password: hash, CreatedAt: w.now,
		}, "test"))
	}
	for _, role := range account.AllRoles() {
		add("id-"+string(role), "acme", role)
	}
	add("id-governor", account.Default, account.Owner)
	add("id-rival", "other", account.Owner)
	w.someone = "00000000-0000-4000-8000-000000000001"
	add(w.someone, "acme", account.Viewer)
	_, err = w.store.ChangeUser(ctx, w.someone, "user.second_factor", "test", w.now, func(u *account.User) error {
		u.SecondFactor = &account.SecondFactor{Since: w.now}
		return nil
	})
	w.mustSucceed(err)
}

// addLiveSessions adds live sessions with transcripts.
func (w *consoleFixture) addLiveSessions() {
	ctx := w.t.Context()
	w.liveID, w.onAir = "01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002"
	for _, id := range []string{w.liveID, w.onAir} {
		w.mustSucceed(w.store.BeginLive(ctx, live.LiveSession{ID: id, OrgID: "acme", Source: live.Server, By: "test", StartedAt: w.now}))
		w.mustSucceed(w.store.AddLiveSegment(ctx, "acme", id, live.LiveSegment{Start: 0, End: 1, Text: "نعم"}))
	}
	w.mustSucceed(w.store.EndLive(ctx, "acme", w.liveID, w.now, 1, nil))
}

// addIntegrations adds a key, a webhook with a delivery, and a suppressed number.
func (w *consoleFixture) addIntegrations() {
	ctx := w.t.Context()
	w.key = "00000000-0000-4000-8000-000000000002"
	w.mustSucceed(w.store.CreateKey(ctx, account.APIKey{
		ID: w.key, OrgID: "acme", Name: "shop", Prefix: "mnd_shop", Hash: []byte("hash"), Scopes: account.AllScopes(), CreatedAt: w.now,
	}, "test"))
	w.mustSucceed(storetest.ReplaceWebhook(ctx, w.store, "acme", delivery.WebhookSetting{URL: "http://shop.test/hook", UpdatedAt: w.now}, "test", w.now))
	d := delivery.NewDelivery("acme", delivery.Test, call.NewID(), w.now)
	w.delivery = d.ID
	w.mustSucceed(w.store.AddDelivery(ctx, d, "test"))
	_, err := w.store.RecordTry(ctx, "acme", d.ID, delivery.DeliveryTry{At: w.now, StatusCode: http.StatusOK}, w.now)
	w.mustSucceed(err)
	w.mustSucceed(w.store.AddSuppressions(ctx, []callrules.SuppressionEntry{{OrgID: "acme", PhoneNumber: "+966500000000", CreatedAt: w.now}}, "test", w.now))
	_, err = storetest.SetRoutes(ctx, w.store, "acme", "test", w.now, inbound.Route{Number: "+96611*", ScenarioID: "restaurant_order"})
	w.mustSucceed(err)
	own := builtInScenarios(w.t)[0]
	own.OrgID, own.ID, own.BuiltIn = "acme", "mine", false
	w.mustSucceed(w.store.PutScenario(ctx, own, "test", w.now))
}

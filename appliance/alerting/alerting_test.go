package alerting_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/appliance/alerting"
	"munadi/appliance/config"
	"munadi/appliance/mailer"
	"munadi/appliance/mailer/mailtest"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/store/badger"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/storetest"
)

// fakeStore is a store whose counters of calls can be set, and that can be unreachable.
type fakeStore struct {
	store.Store
	mu      sync.Mutex
	tallies map[string]call.CallTally
	lately  map[string][]call.CallTally // of quarters, of them
	failed  []call.Call                 // those that failed last, of every organization
	away    error
}

func (s *fakeStore) CallsPage(_ context.Context, _ string, f store.CallFilter) (store.ListPage[call.Call], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return store.ListPage[call.Call]{Items: s.failed[:min(f.Limit, len(s.failed))]}, s.away
}

func (s *fakeStore) TallyCalls(_ context.Context, orgID string, from, _ time.Time, _ ...string) ([]call.CallTally, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !from.IsZero() {
		return s.lately[orgID], s.away
	}
	return []call.CallTally{s.tallies[orgID]}, s.away
}

func (s *fakeStore) ListOrganizations(ctx context.Context) ([]account.Organization, error) {
	s.mu.Lock()
	away := s.away
	s.mu.Unlock()
	if away != nil {
		return nil, away
	}
	return s.Store.ListOrganizations(ctx)
}

// mailKey seals the password of a mail server in the store.
var mailKey = [32]byte{1}

// alertingFixture is a store with two organizations, and a clock.
type alertingFixture struct {
	t         *testing.T
	store     *fakeStore
	now       time.Time
	settings  *config.Config
	machine   []alerting.Condition
	published []string
}

func newWorld(t *testing.T) *alertingFixture {
	t.Helper()
	s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	w := &alertingFixture{
		t: t, store: &fakeStore{Store: s, tallies: map[string]call.CallTally{}},
		now: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC), settings: config.Default(),
	}
	for _, id := range []string{account.Default, "clinic"} {
		if err := s.CreateOrganization(t.Context(), account.Organization{ID: id, Name: id, CreatedAt: w.now}, "test"); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// startMonitor starts a monitor, as at a restart.
func (w *alertingFixture) startMonitor(appliance string) *alerting.AlertMonitor {
	return alerting.NewMonitor(alerting.Dependencies{
		Store: w.store, Machine: func() []alerting.Condition { return w.machine }, Appliance: appliance,
		Mail:     &mailer.ServerFinder{Store: w.store, Settings: func() *config.Config { return w.settings }, Key: mailKey},
		Settings: func() *config.Config { return w.settings }, PublicURL: func() string { return "https://calls.example.com" },
		Publish: func(orgID string) {
			w.store.mu.Lock()
			defer w.store.mu.Unlock()
			w.published = append(w.published, orgID)
		},
		Now: func() time.Time { return w.now }, Log: slog.New(slog.DiscardHandler),
	})
}

// advanceTime advances the clock in the monitor's interval.
func (w *alertingFixture) advanceTime(m *alerting.AlertMonitor, d time.Duration) {
	for end := w.now.Add(d); w.now.Before(end); w.now = w.now.Add(3 * time.Second) {
		m.CheckAll(w.t.Context())
	}
	m.CheckAll(w.t.Context())
}

// setKillSwitch sets the kill switch of an organization.
func (w *alertingFixture) setKillSwitch(orgID string, on bool) {
	w.t.Helper()
	err := w.store.ChangeRules(w.t.Context(), orgID, "test", w.now, func(r *callrules.CallRules) error {
		r.KillSwitch = on
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// listAlerts returns an organization's alerts.
func (w *alertingFixture) listAlerts(orgID string) alert.AlertBoard {
	w.t.Helper()
	b, err := w.store.FindAlerts(w.t.Context(), orgID)
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}

// wantAlerts fails unless an organization has this many open and past alerts.
func (w *alertingFixture) wantAlerts(what, orgID string, open, past int) alert.AlertBoard {
	w.t.Helper()
	b := w.listAlerts(orgID)
	if len(b.Open) != open || len(b.Past) != past {
		w.t.Fatalf("%s: %d open, %d past, want %d and %d: %+v", what, len(b.Open), len(b.Past), open, past, b)
	}
	return b
}

// eventKinds returns the kinds of an organization's notifications in the outbox, oldest first.
func (w *alertingFixture) eventKinds(orgID string) (kinds []delivery.DeliveryKind) {
	w.t.Helper()
	page, err := w.store.ListDeliveries(w.t.Context(), orgID, "", 100, "")
	if err != nil {
		w.t.Fatal(err)
	}
	for _, d := range page.Items {
		kinds = append(kinds, d.Kind)
	}
	slices.Reverse(kinds)
	return kinds
}

// setWebhook sets an organization's webhook.
func (w *alertingFixture) setWebhook(orgID string, alerts bool) {
	w.t.Helper()
	set := delivery.WebhookSetting{URL: "https://example.com/x", Enabled: true, Alerts: alerts}
	if err := storetest.ReplaceWebhook(w.t.Context(), w.store, orgID, set, "test", w.now); err != nil {
		w.t.Fatal(err)
	}
}

// TestAlertIsSentOnce checks that an alert has one notification and one e-mail, also over a restart, and one all-clear
// of each.
func TestAlertIsSentOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mail := w.mailServer()
	w.setWebhook("clinic", true)
	w.setRecipients("clinic", "duty@clinic.example")
	m := w.startMonitor("")
	w.advanceTime(m, time.Minute)
	w.wantAlerts("nothing is wrong", "clinic", 0, 0)
	w.setKillSwitch("clinic", true)
	w.advanceTime(m, time.Minute)
	w.wantAlerts("stopped", "clinic", 1, 0)
	m = w.startMonitor("")
	w.advanceTime(m, time.Minute)
	m.SendDue(t.Context())
	w.wantAlerts("after a restart", "clinic", 1, 0)
	w.setKillSwitch("clinic", false)
	w.advanceTime(m, time.Minute)
	m.SendDue(t.Context())
	w.startMonitor("").SendDue(t.Context())
	b := w.wantAlerts("resumed", "clinic", 0, 1)
	w.wantAlerts("another organization", account.Default, 0, 0)
	if got := w.eventKinds("clinic"); !slices.Equal(got, []delivery.DeliveryKind{delivery.AlertRaised, delivery.AlertCleared}) {
		t.Errorf("notifications %v", got)
	}
	all := mail.ListReceived()
	if len(all) != 2 || all[0].To != "duty@clinic.example" {
		t.Fatalf("%d e-mails: %+v", len(all), b.Mails)
	}
	subject, text := all[0].ReadText(t)
	over, _ := all[1].ReadText(t)
	if !strings.Contains(subject, "Calling is stopped") || !strings.Contains(text, "https://calls.example.com/console/alerts") ||
		!strings.Contains(text, "clinic") || !strings.Contains(over, "Over: Calling is stopped") {
		t.Errorf("%q, %q, %q", subject, over, text)
	}
	if len(w.published) != 3 { // raised, seen after the restart, cleared
		t.Errorf("published %v", w.published)
	}
}

// TestWebhookWithoutAlertsOption checks that a webhook without the alerts option gets no notification of alerts.
func TestWebhookWithoutAlertsOption(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setWebhook("clinic", false)
	w.setKillSwitch("clinic", true)
	w.advanceTime(w.startMonitor(""), time.Minute)
	if b := w.wantAlerts("stopped", "clinic", 1, 0); len(w.eventKinds("clinic")) != 0 || len(b.Mails) != 0 {
		t.Errorf("notifications %v, e-mails %v", w.eventKinds("clinic"), b.Mails)
	}
}

// TestDestinationOff checks that a destination that was switched off by itself has an alert until a person turned it on or
// deleted it, and one that a person turned off has none.
func TestDestinationOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.startMonitor("")
	gone := delivery.NewDestination("https://gone.example/secret", delivery.AllEventTypes(), false, w.now)
	gone.SwitchedOffAt = &w.now
	off := delivery.NewDestination("https://off.example", delivery.AllEventTypes(), false, w.now)
	change := func(all ...delivery.Destination) {
		err := w.store.ChangeDestinations(t.Context(), "clinic", func(b *delivery.DestinationBoard) (store.AuditEntry, error) {
			b.Destinations = all
			return store.AuditEntry{}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		w.advanceTime(m, 10*time.Second)
	}
	change(gone, off)
	b := w.wantAlerts("switched off", "clinic", 1, 0)
	if a := b.Open[0]; a.Subject != gone.ID || a.Facts["host"] != "gone.example" || a.Installation {
		t.Errorf("the alert is %+v", a)
	}
	change(gone.Edit(gone.URL, gone.Events, true, w.now), off)
	w.wantAlerts("turned on", "clinic", 0, 1)
	change(gone, off)
	w.wantAlerts("switched off again", "clinic", 1, 1)
	change(off)
	w.wantAlerts("deleted", "clinic", 0, 2)
}

// TestSeveralAppliances checks that of two appliances one raises and clears an alert.
func TestSeveralAppliances(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setWebhook("clinic", true)
	one, two := w.startMonitor("one"), w.startMonitor("two")
	for _, stopped := range []bool{true, false} {
		w.setKillSwitch("clinic", stopped)
		for range 5 {
			var both sync.WaitGroup
			both.Go(func() { one.CheckAll(t.Context()) })
			both.Go(func() { two.CheckAll(t.Context()) })
			both.Wait()
			w.now = w.now.Add(3 * time.Second)
		}
	}
	w.wantAlerts("resumed", "clinic", 0, 1)
	if got := w.eventKinds("clinic"); len(got) != 2 {
		t.Errorf("notifications %v", got)
	}
}

// TestMachine checks that alerts of a machine are delayed, do not flap, belong to the operator, and are cleared when
// the machine is gone.
func TestMachine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.startMonitor("one")
	set := func(state alerting.ConditionState) {
		w.machine = []alerting.Condition{{Kind: alert.TrunkDown, Subject: "main", State: state, Facts: map[string]string{"fault": "x"}}}
	}
	set(alerting.Holds)
	w.advanceTime(m, 20*time.Second)
	set(alerting.Over)
	w.advanceTime(m, 20*time.Second)
	set(alerting.Holds)
	w.advanceTime(m, 20*time.Second)
	w.wantAlerts("too short", account.Default, 0, 0)
	w.advanceTime(m, 20*time.Second)
	b := w.wantAlerts("down", account.Default, 1, 0)
	if !b.Open[0].Installation || len(b.VisibleTo(false).Open) != 0 || b.Open[0].Appliance != "one" {
		t.Errorf("%+v", b.Open[0])
	}
	for range 5 { // it comes and goes
		set(alerting.Over)
		w.advanceTime(m, 30*time.Second)
		set(alerting.Holds)
		w.advanceTime(m, 30*time.Second)
	}
	w.wantAlerts("flapping", account.Default, 1, 0)
	other := w.startMonitor("two")
	w.machine = nil
	w.advanceTime(other, 10*time.Minute)
	w.wantAlerts("the other has no such trouble", account.Default, 1, 0)
	w.advanceTime(other, 10*time.Minute)
	w.wantAlerts("the machine is gone", account.Default, 0, 1)
	w.wantAlerts("never a tenant", "clinic", 0, 0)
}

// TestTrunkNoLongerSet checks that an alert of a trunk that was removed from the settings is cleared.
func TestTrunkNoLongerSet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.machine = []alerting.Condition{{Kind: alert.TrunkDown, Subject: "main", State: alerting.Holds}}
	w.advanceTime(w.startMonitor(""), time.Minute)
	w.wantAlerts("down", account.Default, 1, 0)
	w.machine = nil
	w.advanceTime(w.startMonitor(""), time.Minute)
	w.wantAlerts("not set", account.Default, 0, 1)
}

// TestOperatorsMail checks that alerts of the installation are mailed to mail-to, and those of an organization only to
// its addresses.
func TestOperatorsMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mail := w.mailServer()
	w.setRecipients("clinic", "duty@clinic.example")
	w.setRecipients(account.Default, "desk@example.com")
	w.machine = []alerting.Condition{{Kind: alert.DiskFull, State: alerting.Holds, Facts: map[string]string{"free": "1 GiB", "size": "9 GiB"}}}
	w.setKillSwitch(account.Default, true)
	m := w.startMonitor("")
	w.advanceTime(m, time.Minute)
	m.SendDue(t.Context())
	got := map[string]string{}
	for _, one := range mail.ListReceived() {
		subject, _ := one.ReadText(t)
		got[one.To] += subject
	}
	if len(got) != 2 || !strings.Contains(got["operator@example.com"], "disk") || !strings.Contains(got["desk@example.com"], "stopped") {
		t.Errorf("e-mails %v", got)
	}
}

// TestMailServerAway checks that an e-mail that cannot be sent is sent later, once.
func TestMailServerAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mail := w.mailServer()
	port := w.settings.SMTPPort
	w.settings.SMTPPort = 1
	w.setRecipients("clinic", "duty@clinic.example")
	w.setKillSwitch("clinic", true)
	m := w.startMonitor("")
	w.advanceTime(m, 10*time.Second)
	m.SendDue(t.Context())
	if b := w.listAlerts("clinic"); len(b.Mails) != 1 || b.Mails[0].State != alert.MailPending || b.Mails[0].Error == "" {
		t.Fatalf("%+v", b.Mails)
	}
	w.settings.SMTPPort = port
	m.SendDue(t.Context())
	if n := len(mail.ListReceived()); n != 0 {
		t.Errorf("%d e-mails before the pause is over", n)
	}
	w.now = w.now.Add(2 * time.Minute)
	m.SendDue(t.Context())
	m.SendDue(t.Context())
	if n := len(mail.ListReceived()); n != 1 {
		t.Errorf("%d e-mails", n)
	}
}

// TestDatabaseAway checks that the operator gets one e-mail while the database is unreachable, and one when it is back.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mail := w.mailServer()
	m := w.startMonitor("one")
	w.advanceTime(m, 10*time.Second)
	away := func(err error) {
		w.store.mu.Lock()
		defer w.store.mu.Unlock()
		w.store.away = err
	}
	away(errors.New("connection refused"))
	w.advanceTime(m, 20*time.Second)
	away(nil)
	w.advanceTime(m, 20*time.Second)
	w.wantAlerts("a short interruption", account.Default, 0, 0)
	away(errors.New("connection refused"))
	w.advanceTime(m, 5*time.Minute)
	if n := len(mail.ListReceived()); n != 1 {
		t.Fatalf("%d e-mails while it is away", n)
	}
	away(nil)
	w.advanceTime(m, time.Minute)
	m.SendDue(t.Context())
	w.wantAlerts("back", account.Default, 0, 1)
	if all := mail.ListReceived(); len(all) != 2 || all[1].To != "operator@example.com" {
		t.Errorf("%d e-mails", len(all))
	}
}

// mailServer starts a mail server and adds it to the settings.
func (w *alertingFixture) mailServer() *mailtest.Server {
	w.t.Helper()
	s := mailtest.StartServer(w.t, false)
	w.settings.SMTPHost, w.settings.SMTPPort, w.settings.SMTPCA = "127.0.0.1", s.Port, s.CA
	w.settings.SMTPUser, w.settings.SMTPPassword = mailtest.User, mailtest.Password
	w.settings.MailFrom, w.settings.MailTo = "munadi@example.com", "operator@example.com"
	return s
}

// setRecipients sets an organization's e-mail addresses.
func (w *alertingFixture) setRecipients(orgID string, all ...string) {
	w.t.Helper()
	_, err := w.store.ChangeAlerts(w.t.Context(), orgID, func(b *alert.AlertBoard) (store.AlertEffects, error) {
		b.Recipients = all
		return store.AlertEffects{}, nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestMailServerOfConsole: a mail server that is set in the console while the monitor runs is used at once; without
// addresses of the operator, those of the organization that administers the installation get its alerts.
func TestMailServerOfConsole(t *testing.T) {
	t.Parallel()
	w, server := newWorld(t), mailtest.StartServer(t, false)
	w.setRecipients(account.Default, "owner@example.com")
	w.settings.SMTPCA = server.CA
	m := w.startMonitor("")
	w.machine = []alerting.Condition{{Kind: alert.DiskFull, State: alerting.Holds}}
	w.advanceTime(m, 2*time.Minute)
	m.SendDue(t.Context())
	if n := len(server.ListReceived()); n > 0 {
		t.Fatalf("%d e-mails without a mail server", n)
	}
	kept := alert.MailSetting{
		Host: "127.0.0.1", Port: server.Port, Security: alert.MailStartTLS, User: mailtest.User, From: "munadi@example.com",
	}
	var err error
	if kept.Password, err = m.Mail.SealPassword(kept, mailtest.Password); err != nil {
		t.Fatal(err)
	}
	err = w.store.ChangeMailSetting(t.Context(), account.Default, "test", w.now, func(s *alert.MailSetting) error {
		*s = kept
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.machine = []alerting.Condition{{Kind: alert.DiskFull, State: alerting.Over}}
	w.advanceTime(m, 2*time.Minute)
	m.SendDue(t.Context())
	if all := server.ListReceived(); len(all) != 1 || all[0].To != "owner@example.com" {
		t.Errorf("received %+v", all)
	}
}

package mailer_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/mailer"
	"munadi/appliance/mailer/mailtest"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/store/memory"
)

// finderBench is a store with the organization that administers the installation.
type finderBench struct {
	t        *testing.T
	store    *memory.Store
	settings *config.Config
	*mailer.ServerFinder
}

func newFinder(t *testing.T) *finderBench {
	t.Helper()
	b := &finderBench{t: t, store: memory.OpenStore(), settings: config.Default()}
	t.Cleanup(func() { _ = b.store.Close() })
	b.ServerFinder = &mailer.ServerFinder{
		Store: b.store, Settings: func() *config.Config { return b.settings }, Key: [32]byte{7},
	}
	first := account.Organization{ID: account.Default, Name: "Default", CreatedAt: time.Now()}
	if err := b.store.CreateOrganization(t.Context(), first, "test"); err != nil {
		t.Fatal(err)
	}
	return b
}

// setServer sets a mail server as the console does.
func (b *finderBench) setServer(s alert.MailSetting, password string) {
	b.t.Helper()
	sealed, err := b.SealPassword(s, password)
	if err != nil {
		b.t.Fatal(err)
	}
	s.Password = sealed
	err = b.store.ChangeMailSetting(b.t.Context(), account.Default, "test", time.Now(), func(kept *alert.MailSetting) error {
		*kept = s
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// sendOne sends a message by the mail server in force.
func (b *finderBench) sendOne() error {
	server, err := b.FindServer(b.t.Context())
	if err != nil {
		return err
	}
	return server.SendMail(b.t.Context(), arabicMail())
}

// TestServerOfConsole: the mail server of the console is used at once, with its sealed password, until the settings name
// one, which takes precedence.
func TestServerOfConsole(t *testing.T) {
	t.Parallel()
	b, first, second := newFinder(t), mailtest.StartServer(t, false), mailtest.StartServer(t, true)
	if err := b.sendOne(); !errors.Is(err, mailer.ErrNoServer) || b.HasServer(t.Context()) {
		t.Fatalf("without a mail server: %v", err)
	}
	server := alert.MailSetting{
		Host: "127.0.0.1", Port: first.Port, Security: alert.MailStartTLS, User: mailtest.User, From: "munadi@example.com",
	}
	b.setServer(server, mailtest.Password)
	b.settings.SMTPCA = first.CA
	if err := b.sendOne(); err != nil || len(first.ListReceived()) != 1 || !b.HasServer(t.Context()) {
		t.Fatalf("by the one of the console: %v, %d messages", err, len(first.ListReceived()))
	}
	kept, err := b.store.FindMailSetting(t.Context(), account.Default)
	if err != nil || bytes.Contains(kept.Password, []byte(mailtest.Password)) {
		t.Errorf("the password is stored as it is: %q, %v", kept.Password, err)
	}
	b.settings = mailSettings(t, second, config.SMTPTLS)
	if err := b.sendOne(); err != nil || len(second.ListReceived()) != 1 || len(first.ListReceived()) != 1 {
		t.Errorf("by the one of the settings: %v, %d messages", err, len(second.ListReceived()))
	}
}

// TestSealedPassword: a sealed password opens for its host and user only, and with the key of its installation.
func TestSealedPassword(t *testing.T) {
	t.Parallel()
	b := newFinder(t)
	server := alert.MailSetting{Host: "127.0.0.1", Security: alert.MailTLS, User: mailtest.User, From: "munadi@example.com"}
	b.setServer(server, mailtest.Password)
	found, err := b.FindServer(t.Context())
	if err != nil || found.Password != mailtest.Password || found.Port != 465 {
		t.Fatalf("%+v, %v", found, err)
	}
	for name, spoil := range map[string]func(*alert.MailSetting){
		"another host":      func(s *alert.MailSetting) { s.Host = "127.0.0.2" },
		"another user":      func(s *alert.MailSetting) { s.User = "other" },
		"a cut password":    func(s *alert.MailSetting) { s.Password = s.Password[:5] },
		"a changed one":     func(s *alert.MailSetting) { s.Password[len(s.Password)-1] ^= 1 },
		"no sealed message": func(s *alert.MailSetting) { s.Password = []byte(mailtest.Password) },
	} {
		b.setServer(server, mailtest.Password)
		err := b.store.ChangeMailSetting(t.Context(), account.Default, "test", time.Now(), func(kept *alert.MailSetting) error {
			spoil(kept)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = b.FindServer(t.Context())
		if err == nil || !strings.Contains(err.Error(), "cannot be decrypted") || strings.Contains(err.Error(), mailtest.Password) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b.setServer(server, mailtest.Password)
	b.Key = [32]byte{8}
	if _, err := b.FindServer(t.Context()); err == nil {
		t.Error("the key of another installation opens it")
	}
}

// awayStore is a store that can't be read for a while.
type awayStore struct {
	mailer.SettingStore
	err error
}

func (s *awayStore) FindMailSetting(ctx context.Context, orgID string) (alert.MailSetting, error) {
	if s.err != nil {
		return alert.MailSetting{}, s.err
	}
	return s.SettingStore.FindMailSetting(ctx, orgID)
}

// TestServerWhileDatabaseIsAway: the mail server that was read last is used.
func TestServerWhileDatabaseIsAway(t *testing.T) {
	t.Parallel()
	b := newFinder(t)
	away := &awayStore{SettingStore: b.store}
	b.Store = away
	b.setServer(alert.MailSetting{Host: "mail.example.com", Security: alert.MailStartTLS, From: "munadi@example.com"}, "")
	if !b.HasServer(t.Context()) {
		t.Fatal("no mail server")
	}
	away.err = errors.New("away")
	if found, err := b.FindServer(t.Context()); err != nil || found.Host != "mail.example.com" || !b.HasServer(t.Context()) {
		t.Errorf("%+v, %v", found, err)
	}
}

package mailer

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"

	"munadi/appliance/config"
	"munadi/appliance/seal"
	"munadi/store/account"
	"munadi/store/alert"
)

// KeyPurpose is the purpose that the key of a [ServerFinder] is derived for.
const KeyPurpose = "mail password"

// SettingStore reads the mail server that was set in the console.
type SettingStore interface {
	FindMailSetting(ctx context.Context, orgID string) (alert.MailSetting, error)
}

// ServerFinder finds the mail server in force: that of munadi.yaml, the environment and flags as a whole, if smtp-host
// is set there; else the one that was set in the console, with smtp-ca. While the database is away, that is the one
// that was read last. It is safe for concurrent use.
type ServerFinder struct {
	Store    SettingStore
	Settings func() *config.Config
	Key      [32]byte // seals the password in the store, see [KeyPurpose]
	last     atomic.Pointer[alert.MailSetting]
}

// FindServer returns the mail server; [ErrNoServer] without one.
func (f *ServerFinder) FindServer(ctx context.Context) (MailServer, error) {
	settings := f.Settings()
	if settings.SMTPHost != "" {
		return OpenServer(settings)
	}
	kept, err := f.findSetting(ctx)
	if err != nil {
		return MailServer{}, err
	}
	if kept.Host == "" {
		return MailServer{}, ErrNoServer
	}
	s := MailServer{
		Host: kept.Host, Port: cmp.Or(kept.Port, alert.UsualPort(kept.Security)), Security: kept.Security, User: kept.User,
		From: kept.From,
	}
	if s.Password, err = f.openPassword(kept); err != nil {
		return s, err
	}
	s.Roots, err = config.ReadAuthorities("smtp-ca", settings.SMTPCA)
	return s, err
}

// HasServer reports whether a mail server is set, also one whose settings are wrong.
func (f *ServerFinder) HasServer(ctx context.Context) bool {
	if f.Settings().SMTPHost != "" {
		return true
	}
	kept, err := f.findSetting(ctx)
	return err == nil && kept.Host != ""
}

// findSetting returns the mail server that was set in the console.
func (f *ServerFinder) findSetting(ctx context.Context) (alert.MailSetting, error) {
	kept, err := f.Store.FindMailSetting(ctx, account.Default)
	if err == nil {
		f.last.Store(&kept)
	} else if last := f.last.Load(); last != nil {
		return *last, nil
	}
	return kept, err
}

// SealPassword returns a password encrypted (AES-256-GCM) for the host and user of a mail server: with another host or
// user in the store it can't be opened.
func (f *ServerFinder) SealPassword(s alert.MailSetting, password string) ([]byte, error) {
	return seal.SealText(f.Key, password, s.Host, s.User)
}

// openPassword returns the password of a mail server; empty without one.
func (f *ServerFinder) openPassword(s alert.MailSetting) (string, error) {
	plain, err := seal.OpenText(f.Key, s.Password, s.Host, s.User)
	if err != nil {
		return "", errors.New(
			"the mail server's password cannot be decrypted: type it again on the page Alerts of the console")
	}
	return plain, nil
}

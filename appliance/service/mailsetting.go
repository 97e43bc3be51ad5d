package service

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"munadi/store/account"
	"munadi/store/alert"
)

// Limits of a mail server's fields, in bytes.
const (
	maxMailHost     = 253 // of a name (RFC 1035)
	maxMailUser     = 320
	maxMailPassword = 1000
)

// MailSettingRequest is a mail server as an administrator sets it; without a host it is removed.
type MailSettingRequest struct {
	alert.MailSetting        // its Password is not read
	Password          string // empty: the kept one stays, for the same host and user
	Seen              Precondition[alert.MailSetting]
}

// ChangeMailSetting sets the installation's mail server. The fields of a [*ViolationError] are host, port, security,
// user, password and from; a [*ConflictError] when another change came first.
func (u *UseCases) ChangeMailSetting(ctx context.Context, actor string, r MailSettingRequest) error {
	wanted := r.MailSetting
	if wanted.Password = nil; wanted.Host == "" {
		wanted = alert.MailSetting{}
	} else if err := violationError(r.check()...); err != nil {
		return err
	}
	if wanted.User != "" && r.Password != "" {
		sealed, err := u.SealPassword(wanted, r.Password)
		if err != nil {
			return err
		}
		wanted.Password = sealed
	}
	change := func(kept *alert.MailSetting) error {
		if err := r.Seen.check(*kept); err != nil {
			return err
		}
		if wanted.User != "" && wanted.Password == nil {
			if kept.Password == nil || kept.Host != wanted.Host || kept.User != wanted.User {
				return violationError(FieldViolation{Field: "password", Message: "is required for this host and user"})
			}
			wanted.Password = kept.Password
		}
		*kept = wanted
		return nil
	}
	return u.Store.ChangeMailSetting(ctx, account.Default, actor, u.now().Truncate(time.Millisecond), change)
}

// check returns the violations of a request with a host.
func (r MailSettingRequest) check() (found FieldViolations) {
	misplaced := func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) || strings.ContainsRune(":/@", c) }
	if len(r.Host) > maxMailHost || strings.ContainsFunc(r.Host, misplaced) {
		found.AddViolation("host", "must be only a host name or an IPv4 address, such as mail.example.com")
	}
	if r.Port < 0 || r.Port > 65535 {
		found.AddViolation("port", "must be from 1 to 65535")
	}
	if !slices.Contains([]string{alert.MailStartTLS, alert.MailTLS, alert.MailPlain}, r.Security) {
		found.AddViolation("security", "must be starttls, tls or none")
	}
	switch {
	case len(r.User) > maxMailUser || strings.ContainsFunc(r.User, unicode.IsControl):
		found.AddViolation("user", "must have at most 320 bytes and no control characters")
	case r.User != "" && r.Security == alert.MailPlain:
		found.AddViolation("user", "needs starttls or tls: its password would be sent unencrypted")
	}
	switch {
	case len(r.Password) > maxMailPassword || strings.ContainsFunc(r.Password, unicode.IsControl):
		found.AddViolation("password", "must have at most 1000 bytes and no control characters")
	case r.Password != "" && r.User == "":
		found.AddViolation("user", "is required with a password")
	}
	if err := alert.CheckAddress(r.From); err != nil {
		found.AddViolation("from", "%v", err)
	}
	return found
}

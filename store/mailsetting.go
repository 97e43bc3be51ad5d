package store

import (
	"context"
	"time"

	"munadi/store/alert"
)

// MailStore stores the mail server that was set in the console. The installation uses that of the organization
// [account.Default], which administers it.
type MailStore interface {
	// FindMailSetting returns an organization's mail server; the zero one when it never set any.
	FindMailSetting(ctx context.Context, orgID string) (alert.MailSetting, error)
	// ChangeMailSetting is a read-modify-write of the mail server in one transaction; change may be called again, and its
	// error is returned unchanged. CodeNotFound without the organization. Audit entry: mail.put, with the host.
	ChangeMailSetting(
		ctx context.Context, orgID, actor string, now time.Time, change func(*alert.MailSetting) error,
	) error
}

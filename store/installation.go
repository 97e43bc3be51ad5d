package store

import (
	"context"
	"time"

	"munadi/store/alert"
	"munadi/store/siptrunk"
)

// InstallationRecord identifies the installation that a store belongs to. Data folder, recordings and secret carry the
// same id, so that parts of different installations are not combined by mistake.
type InstallationRecord struct {
	ID string `json:"id"` // a UUID
	// SecretCheck is a one-way hash derived from the installation's secret: it detects a wrong secret and does not
	// reveal the secret.
	SecretCheck []byte    `json:"secret_check"`
	CreatedAt   time.Time `json:"created_at"`
}

// InstallationStore stores the one installation record of a store.
type InstallationStore interface {
	// FindInstallation returns the record; nil for a new store or one written by an older version.
	FindInstallation(ctx context.Context) (*InstallationRecord, error)
	// ClaimInstallation stores fresh unless a record exists (compare-and-set), and returns the record that is stored.
	// CodeInvalid for a record without id or check.
	ClaimInstallation(ctx context.Context, fresh InstallationRecord) (InstallationRecord, error)
}

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

// TrunkStore stores the SIP trunks that were set in the console. The installation uses those of the organization
// [account.Default], which administers it.
type TrunkStore interface {
	// FindTrunks returns an organization's trunks; none when it never set any.
	FindTrunks(ctx context.Context, orgID string) (siptrunk.Setting, error)
	// ChangeTrunks is a read-modify-write of the trunks in one transaction; change may be called again, and its error is
	// returned unchanged. CodeNotFound without the organization. Audit entry: trunks.put, with the names.
	ChangeTrunks(
		ctx context.Context, orgID, actor string, now time.Time, change func(*siptrunk.Setting) error,
	) error
}

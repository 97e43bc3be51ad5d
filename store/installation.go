package store

import (
	"context"
	"time"
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

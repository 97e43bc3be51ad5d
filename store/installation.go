package store

import (
	"context"
	"time"
)

// InstallationRecord identifies the installation that a store belongs to: its data folders, recordings and secret bear the
// same id, so that parts of different installations are not put to work together.
type InstallationRecord struct {
	ID string `json:"id"` // a UUID
	// SecretCheck is derived from the installation's secret, one way: it tells a wrong secret and reveals nothing of it.
	SecretCheck []byte    `json:"secret_check"`
	CreatedAt   time.Time `json:"created_at"`
}

// InstallationStore holds the one installation record of a store.
type InstallationStore interface {
	// FindInstallation returns the record; nil without one: the store is new, or an older version wrote it.
	FindInstallation(ctx context.Context) (*InstallationRecord, error)
	// ClaimInstallation keeps fresh as the record unless there is one, and returns the record that is kept.
	// CodeInvalid for a record without id or check.
	ClaimInstallation(ctx context.Context, fresh InstallationRecord) (InstallationRecord, error)
}

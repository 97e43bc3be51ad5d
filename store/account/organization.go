// Package account defines tenants and credentials: organizations, API keys with their scopes, console users with their
// roles, and sessions.
//
// It is a leaf package of plain records and their rules, without database or HTTP. It never holds a secret: an [APIKey]
// carries the keyed hash of the presented key. Package auth computes and verifies the hashes.
package account

import (
	"errors"
	"time"
)

// Default is the id of the organization that every installation starts with.
const Default = "default"

// maxID is the maximum length of an organization's id; it is part of many store keys.
const maxID = 64

// Organization is one tenant; its data is never visible to another one.
type Organization struct {
	ID        string    `json:"id"` // stable, see [CheckID]
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
	// NeedsSecondFactor says that a user without a second factor must set one up before anything else.
	NeedsSecondFactor bool `json:"needs_second_factor,omitempty"`
}

// CheckID validates an organization's id: 1 to 64 of a-z, 0-9, '-' and '_'.
func CheckID(id string) error {
	if id == "" || len(id) > maxID {
		return errors.New("an organization's id must have 1 to 64 characters")
	}
	for _, r := range id {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return errors.New("an organization's id must contain only a-z, 0-9, '-' and '_'")
		}
	}
	return nil
}

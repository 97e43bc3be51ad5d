// Package account holds who may use the appliance: organizations and the API keys that speak for them.
//
// It is a leaf of plain records and their rules. It knows no database, no request and no secret: a [APIKey] carries
// the keyed hash of what the holder presents, never the thing itself. How hashes are made is the affair of the
// room that verifies them.
package account

import (
	"errors"
	"time"
)

// Default is the id of the organization that every installation begins with.
const Default = "default"

// maxID bounds an organization's id; it is part of many keys in the store.
const maxID = 64

// Organization is one tenant; nothing that belongs to one is ever seen by another.
type Organization struct {
	ID        string    `json:"id"` // stable, see [CheckID]
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
}

// CheckID says whether id may name an organization: 1 to 64 of a-z, 0-9, '-' and '_'.
func CheckID(id string) error {
	if id == "" || len(id) > maxID {
		return errors.New("an organization's id has 1 to 64 characters")
	}
	for _, r := range id {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return errors.New("an organization's id holds only a-z, 0-9, '-' and '_'")
		}
	}
	return nil
}

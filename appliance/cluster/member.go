package cluster

import (
	"encoding/json"
	"time"
)

// MemberStatus is the status that an appliance publishes with its lease.
type MemberStatus struct {
	Name    string `json:"name"` // of its machine
	Address string `json:"address"`
	Version string `json:"version"`
	Role    string `json:"role"`
	Model   string `json:"model"` // empty while it is loaded
	// Installed is the installed model that serves, by its name in the models' folder; empty for the built-in one.
	Installed string    `json:"installed,omitempty"`
	Started   time.Time `json:"started"`
	Lines     int       `json:"lines"` // calls at once
	Held      int       `json:"held"`  // calls that are up
	Queue     int       `json:"queue"` // pieces of work that wait for the recognizer
	Ready     bool      `json:"ready"`
	Health    string    `json:"health"` // a sentence for people
}

// EncodeStatus is a status as it is stored.
func EncodeStatus(s MemberStatus) []byte {
	body, err := json.Marshal(s)
	if err != nil {
		return nil // a structure of plain fields is always encoded
	}
	return body
}

// DecodeStatus reads a status; one of another version may be partly, or wholly, empty.
func DecodeStatus(body []byte) (s MemberStatus) {
	if json.Unmarshal(body, &s) != nil {
		return MemberStatus{}
	}
	return s
}

// Package restaurant defines the stored state of restaurant mode, a biased decoding mode of the recognizer: the mode of
// each client session, and an organization's own phrases.
//
// It is a leaf package of plain records; package restaurantmode decides when a session enters or leaves the mode.
package restaurant

import "time"

// Idle is the idle timeout of restaurant mode.
const Idle = 30 * time.Minute

// maxSessionID is the maximum length of a session's id, in bytes (ASCII).
const maxSessionID = 128

// SessionMode is the decoding mode of a transcription.
type SessionMode string

// Modes, as in the header x-session-mode.
const (
	Default    SessionMode = "default"
	Restaurant SessionMode = "restaurant"
)

// RestaurantSession is one client session of an organization. Sessions without a record are in [Default].
type RestaurantSession struct {
	OrgID     string      `json:"org_id"`
	ID        string      `json:"id"` // the client's x-session-id, see [ValidSessionID]
	Mode      SessionMode `json:"mode"`
	TouchedAt time.Time   `json:"touched_at"` // time of the last request
}

// StateAt returns the session at now: back in [Default] after [Idle] without a request.
func (s RestaurantSession) StateAt(now time.Time) RestaurantSession {
	if s.Mode != Restaurant || now.Sub(s.TouchedAt) >= Idle {
		s.Mode = Default
	}
	return s
}

// ValidSessionID reports whether id has 1 to 128 characters of A-Z a-z 0-9 . _ : -
func ValidSessionID(id string) bool {
	if id == "" || len(id) > maxSessionID {
		return false
	}
	for i := range len(id) {
		if !sessionByte(id[i]) {
			return false
		}
	}
	return true
}

// sessionByte reports whether c is allowed in a session's id.
func sessionByte(c byte) bool {
	switch {
	case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		return true
	default:
		return c == '.' || c == '_' || c == ':' || c == '-'
	}
}

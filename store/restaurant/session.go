// Package restaurant holds what the restaurant mode of the recognizer remembers: which client sessions are in it,
// and the phrases of an organization's kitchen.
//
// It is a leaf of plain records. It neither hears transcripts nor decides when a session enters or leaves; it only
// says what a session is and when it has idled away.
package restaurant

import "time"

// Idle is how long a session stays in restaurant mode without a request.
const Idle = 30 * time.Minute

// maxSessionID bounds a session's id, in bytes (all of them ASCII).
const maxSessionID = 128

// SessionMode is how a transcription is decoded.
type SessionMode string

// The two modes, as the header x-session-mode writes them.
const (
	Default    SessionMode = "default"
	Restaurant SessionMode = "restaurant"
)

// RestaurantSession is one client session of an organization. A session that nobody put into restaurant mode is in [Default].
type RestaurantSession struct {
	OrgID     string      `json:"org_id"`
	ID        string      `json:"id"` // the client's x-session-id, see [ValidSessionID]
	Mode      SessionMode `json:"mode"`
	TouchedAt time.Time   `json:"touched_at"` // the last request of the session
}

// StateAt is the session as it stands at now: back in [Default] once it has been idle for [Idle].
func (s RestaurantSession) StateAt(now time.Time) RestaurantSession {
	if s.Mode != Restaurant || now.Sub(s.TouchedAt) >= Idle {
		s.Mode = Default
	}
	return s
}

// ValidSessionID says whether id has 1 to 128 characters of A-Z a-z 0-9 . _ : -
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

// sessionByte says whether c may stand in a session's id.
func sessionByte(c byte) bool {
	switch {
	case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		return true
	default:
		return c == '.' || c == '_' || c == ':' || c == '-'
	}
}

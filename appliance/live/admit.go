package live

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"maps"
	"strings"
	"time"

	"munadi/appliance/auth"
	"munadi/engine"
	"munadi/store"
	"munadi/store/live"
)

const (
	tokenPrefix = "live_"
	tokenLife   = time.Minute
	mostTokens  = 1000 // in that time
	shareTokens = 100  // of them for one organization
)

// issuedToken is a session that a browser may begin.
type issuedToken struct {
	session live.LiveSession
	alive   auth.AccessCheck // whether the person who got the token may still use it
	until   time.Time
	opened  bool // the token has been used
}

// IssueToken makes a token that opens one realtime session, within a minute, for a person of an organization; the session
// will have the id that comes with it, and ends when alive says no. CodeConflict when the organization made as many
// tokens in the last minute as it may.
func (s *LiveService) IssueToken(orgID, by, device string, alive auth.AccessCheck) (token, id string, err error) {
	now := s.Now().UTC()
	secret := make([]byte, 24)
	_, _ = rand.Read(secret) // it never fails
	token = tokenPrefix + hex.EncodeToString(secret)
	session := live.LiveSession{
		ID: live.NewID(now), OrgID: orgID, Source: live.Browser, Device: device, By: by, StartedAt: now,
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.admits, func(_ string, a issuedToken) bool { return now.After(a.until) })
	if s.tokensOf(orgID) >= shareTokens || len(s.admits) >= mostTokens {
		return "", "", store.Errorf(store.CodeConflict, "no more live sessions can begin within this minute")
	}
	s.admits[token] = issuedToken{session: session, alive: alive, until: now.Add(tokenLife)}
	return token, session.ID, nil
}

// tokensOf counts an organization's tokens of the last minute; s.mu is held.
func (s *LiveService) tokensOf(orgID string) int {
	n := 0
	for _, a := range s.admits {
		if a.session.OrgID == orgID {
			n++
		}
	}
	return n
}

// RedeemToken says whose session a token opens, and whether its person may still use it; each opens one.
func (s *LiveService) RedeemToken(token string) (live.LiveSession, auth.AccessCheck, bool) {
	if !strings.HasPrefix(token, tokenPrefix) {
		return live.LiveSession{}, nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a, known := s.admits[token]
	if !known || a.opened || s.Now().After(a.until) || s.closed {
		return live.LiveSession{}, nil, false
	}
	a.opened = true
	s.admits[token] = a
	return a.session, a.alive, true
}

// SessionRecorder is told what a browser's session hears, and keeps it.
type SessionRecorder interface {
	AddSound(samples []float32)
	AddEvent(e engine.StreamEvent)
	EndSession()
}

// RecordSession begins to keep the session with that id, which a token has opened; nil for any other.
func (s *LiveService) RecordSession(id string) SessionRecorder {
	session, known := s.openedSession(id)
	if !known {
		return nil
	}
	r, err := s.newRecorder(context.Background(), session)
	if err != nil {
		s.Log.Error("a live session is not kept", "session", id, "err", err)
		return nil
	}
	return r
}

func (s *LiveService) openedSession(id string) (live.LiveSession, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for token, a := range s.admits {
		if a.opened && a.session.ID == id {
			delete(s.admits, token)
			return a.session, true
		}
	}
	return live.LiveSession{}, false
}

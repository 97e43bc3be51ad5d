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
	"munadi/store/account"
	"munadi/store/live"
)

const (
	tokenPrefix   = "live_"
	tokenLifetime = time.Minute
	maxTokens     = 1000 // issued within tokenLifetime, by all organizations
	maxOrgTokens  = 100  // of one organization
)

// issuedToken is a one-time token for a browser's live session.
type issuedToken struct {
	session   live.LiveSession
	access    auth.AccessCheck // reports whether the user's access is still valid
	expiresAt time.Time
	redeemed  bool
}

// IssueToken issues a one-time token with which a user's browser can open one realtime session within a minute. The
// session gets the returned id, and ends when access reports false. CodeConflict at the limit of tokens a minute.
func (s *LiveService) IssueToken(orgID, by, device string, access auth.AccessCheck) (token, id string, err error) {
	now := s.Now().UTC()
	secret := make([]byte, 24)
	_, _ = rand.Read(secret) // never fails: the program crashes instead
	token = tokenPrefix + hex.EncodeToString(secret)
	session := live.LiveSession{
		ID: live.NewID(now), OrgID: orgID, Source: live.Browser, Device: device, By: by, StartedAt: now,
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.tokens, func(_ string, a issuedToken) bool { return now.After(a.expiresAt) })
	if s.countTokens(orgID) >= maxOrgTokens || len(s.tokens) >= maxTokens {
		return "", "", store.Errorf(store.CodeConflict, "too many live sessions were started; try again in a minute")
	}
	s.tokens[token] = issuedToken{session: session, access: access, expiresAt: now.Add(tokenLifetime)}
	return token, session.ID, nil
}

// countTokens counts an organization's tokens of the last minute; s.mu must be held.
func (s *LiveService) countTokens(orgID string) int {
	n := 0
	for _, a := range s.tokens {
		if a.session.OrgID == orgID {
			n++
		}
	}
	return n
}

// RedeemToken redeems a token once: it returns the session and the access check of its user.
func (s *LiveService) RedeemToken(token string) (live.LiveSession, auth.AccessCheck, bool) {
	if !strings.HasPrefix(token, tokenPrefix) {
		return live.LiveSession{}, nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a, known := s.tokens[token]
	if !known || a.redeemed || s.Now().After(a.expiresAt) || s.closed {
		return live.LiveSession{}, nil, false
	}
	a.redeemed = true
	s.tokens[token] = a
	return a.session, a.access, true
}

// livePrincipal is the key id prefix of clients with a live token; the session's id follows.
const livePrincipal = "live/"

// AuthenticateToken redeems a token as the credentials of a realtime client.
func (s *LiveService) AuthenticateToken(ctx context.Context, token string) (auth.Principal, bool) {
	session, access, ok := s.RedeemToken(token)
	if ok && access != nil {
		still, err := access(ctx)
		ok = still || err != nil
	}
	return auth.Principal{
		OrgID: session.OrgID, KeyID: livePrincipal + session.ID, Scopes: []account.KeyScope{account.ScopeSTT}, Alive: access,
	}, ok
}

// SessionRecorder records the audio and transcript of a browser's session.
type SessionRecorder interface {
	AddSound(samples []float32)
	AddEvent(e engine.StreamEvent)
	EndSession()
}

// RecorderOf returns the recorder of the session of a client that [LiveService.AuthenticateToken] authenticated; nil
// for any other client.
func (s *LiveService) RecorderOf(who auth.Principal) SessionRecorder {
	if id, found := strings.CutPrefix(who.KeyID, livePrincipal); found {
		return s.recordSession(id)
	}
	return nil
}

// recordSession starts to record the session of a redeemed token; nil without one.
func (s *LiveService) recordSession(id string) SessionRecorder {
	session, known := s.claimSession(id)
	if !known {
		return nil
	}
	r, err := s.newRecorder(context.Background(), session)
	if err != nil {
		s.Log.Error("a live session is not recorded", "session", id, "err", err)
		return nil
	}
	return r
}

func (s *LiveService) claimSession(id string) (live.LiveSession, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for token, a := range s.tokens {
		if a.redeemed && a.session.ID == id {
			delete(s.tokens, token)
			return a.session, true
		}
	}
	return live.LiveSession{}, false
}

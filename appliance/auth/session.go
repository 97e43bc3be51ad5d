package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/account"
)

const (
	sessionBytes = 32
	sessionIdle  = 12 * time.Hour      // idle timeout after the last use
	sessionMost  = 30 * 24 * time.Hour // absolute timeout after the sign-in
	sessionTouch = time.Minute         // between two records of the last use
	maxAgent     = 200                 // bytes
)

// beginSession creates a session and returns its token, for the session cookie; the store holds only its hash.
func (a *AccountService) beginSession(ctx context.Context, u account.User, from SignInOrigin) (string, error) {
	token, now := newToken(), a.now().UTC()
	return token, a.people.CreateSession(ctx, account.UserSession{
		Hash: a.hashOf(token), UserID: u.ID, CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(sessionIdle),
		Address: from.Address, Agent: truncateUTF8(from.Agent, maxAgent),
		External: from.External, ExternalSession: from.ExternalSession,
	})
}

// beginCheckedSession is beginSession for a user whose password, and code, were compared before. [ErrWrong] if the user
// has another password or second factor by now: that change ended all sessions before this one existed, and the old one
// must not open another.
func (a *AccountService) beginCheckedSession(ctx context.Context, u account.User, from SignInOrigin) (string, error) {
	token, err := a.beginSession(ctx, u, from)
	if err != nil {
		return "", err
	}
	latest, err := a.people.FindUser(ctx, u.ID)
	if err == nil && latest.Password == u.Password && factorSince(latest) == factorSince(u) {
		return token, nil
	}
	if err == nil || store.CodeOf(err) == store.CodeNotFound {
		err = ErrWrong
	}
	return "", errors.Join(err, a.SignOut(context.WithoutCancel(ctx), token))
}

// LookUpSession returns the valid session of a session cookie's value, and its user. It extends the idle timeout, up
// to 30 days after the sign-in. [store.CodeNotFound] without one.
func (a *AccountService) LookUpSession(ctx context.Context, token string) (account.UserSession, account.User, error) {
	s, u, err := a.PeekSession(ctx, token)
	if now := a.now().UTC(); err == nil && now.Sub(s.SeenAt) >= sessionTouch {
		a.touchSession(ctx, s, now)
	}
	return s, u, err
}

// PeekSession is LookUpSession without extending the idle timeout: for checks and automatic reconnections.
func (a *AccountService) PeekSession(ctx context.Context, token string) (account.UserSession, account.User, error) {
	none := store.Errorf(store.CodeNotFound, "there is no such session")
	if len(token) != base64.RawURLEncoding.EncodedLen(sessionBytes) {
		return account.UserSession{}, account.User{}, none
	}
	now := a.now().UTC()
	s, u, err := a.people.SessionByHash(ctx, a.hashOf(token), now)
	if err != nil {
		return s, u, err
	}
	if u.DisabledAt != nil || !s.External && a.isPasswordExpired(u) || !now.Before(s.CreatedAt.Add(sessionMost)) {
		return account.UserSession{}, account.User{}, none
	}
	return s, u, nil
}

// touchSession records a use. An error is logged; the request does not fail with it.
func (a *AccountService) touchSession(ctx context.Context, s account.UserSession, now time.Time) {
	expires := now.Add(sessionIdle)
	if last := s.CreatedAt.Add(sessionMost); last.Before(expires) {
		expires = last
	}
	err := a.people.TouchWebSession(ctx, s.Hash, now, expires)
	if err != nil && store.CodeOf(err) != store.CodeNotFound && ctx.Err() == nil {
		a.log.Warn("the use of a session is not recorded", "user", s.UserID, "err", err)
	}
}

// SignOut deletes the session of a cookie's value, if there is one.
func (a *AccountService) SignOut(ctx context.Context, token string) error {
	return a.people.EndSession(ctx, a.hashOf(token))
}

// CSRFToken returns the CSRF token for the forms of a session.
func (a *AccountService) CSRFToken(s account.UserSession) string {
	return computeMAC(a.forms, string(s.Hash))
}

func (a *AccountService) hashOf(token string) []byte {
	m := hmac.New(sha256.New, a.secret[:])
	m.Write([]byte(token))
	return m.Sum(nil)
}

func computeMAC(key [32]byte, text string) string {
	m := hmac.New(sha256.New, key[:])
	m.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// newToken returns 32 random bytes as base64url, for a cookie or a link.
func newToken() string {
	b := make([]byte, sessionBytes)
	_, _ = rand.Read(b) // never fails: the program crashes instead
	return base64.RawURLEncoding.EncodeToString(b)
}

// randomText returns n random characters of an alphabet of at most 256, uniformly distributed.
func randomText(n int, alphabet string) string {
	var out strings.Builder
	fair := 256 - 256%len(alphabet) // rejection sampling: beyond it, the first characters would be more likely
	b := make([]byte, 1)
	for out.Len() < n {
		_, _ = rand.Read(b) // never fails: the program crashes instead
		if int(b[0]) < fair {
			out.WriteByte(alphabet[int(b[0])%len(alphabet)])
		}
	}
	return out.String()
}

// truncateUTF8 truncates text to at most n bytes of valid UTF-8.
func truncateUTF8(text string, n int) string {
	return strings.ToValidUTF8(text[:min(len(text), n)], "")
}

// DeviceFor is how long a device cookie is valid.
const DeviceFor = 180 * 24 * time.Hour

// DeviceToken returns the value of a device cookie (OWASP, "Slow down online guessing attacks with device cookies"):
// a browser that has signed in as u has a failure counter of its own, so that attackers who guess at the account do
// not lock it out. It grants no access. Form: expiry in Unix seconds, base 36 "." nonce "." HMAC over both and the
// user's name.
func (a *AccountService) DeviceToken(u account.User) string {
	body := strconv.FormatInt(a.now().Add(DeviceFor).Unix(), 36) + "." + newToken()
	return body + "." + a.deviceMAC(body, u.Name)
}

func (a *AccountService) deviceMAC(body, name string) string {
	return computeMAC(a.devices, body+"\x00"+nameKey(name))
}

// deviceKey returns the key under which failures of the browser with a device cookie are counted; empty if the cookie
// is invalid for that name, or has expired.
func (a *AccountService) deviceKey(cookie, name string) string {
	cut := strings.LastIndexByte(cookie, '.')
	if cut < 0 {
		return ""
	}
	body := cookie[:cut]
	if subtle.ConstantTimeCompare([]byte(cookie[cut+1:]), []byte(a.deviceMAC(body, name))) != 1 {
		return ""
	}
	end, _, _ := strings.Cut(body, ".")
	until, err := strconv.ParseInt(end, 36, 64)
	if err != nil || a.now().Unix() >= until {
		return ""
	}
	return "device/" + body
}

// countedUnder returns the counters of a sign-in's failures: that of the browser where it has signed in as that user
// before, else those of the account (all other browsers together) and of the address.
func (a *AccountService) countedUnder(name string, from SignInOrigin) []lockoutSubject {
	if key := a.deviceKey(from.Device, name); key != "" {
		return []lockoutSubject{{key, freeByAccount}}
	}
	return []lockoutSubject{a.accountSubject(name), {"address/" + addressNetwork(from.Address), freeByAddress}}
}

// accountSubject returns the counter of an account's failures. Where there is a directory all names are counted as its
// people are, so that a lockout does not tell whose a name is.
func (a *AccountService) accountSubject(name string) lockoutSubject {
	if a.directory != nil {
		return lockoutSubject{directoryKey + nameKey(name), freeByDirectory}
	}
	return lockoutSubject{nameKey(name), freeByAccount}
}

package sip

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"

	"munadi/store/call"
)

func isChallenge(res *sip.Response) bool { return res.StatusCode == 401 || res.StatusCode == 407 }

// digestProofs are the digest challenges that a request has met, by the header that answers them. The zero value is
// empty.
type digestProofs struct {
	last  string // header requested last
	known map[string]*nonceUse
}

// nonceUse is a challenge with the use count of its nonce (RFC 7616 §3.4, nc).
type nonceUse struct {
	challenge *digest.Challenge
	uses      int
}

// addChallenge records a challenge. A challenge in answer to credentials means that they were wrong, unless the nonce
// was stale; after another server's challenge it may be a new nonce, since the old one was used meanwhile.
func (p *digestProofs) addChallenge(answers string, challenge *digest.Challenge) error {
	if p.known == nil {
		p.known = map[string]*nonceUse{}
	}
	before := p.known[answers]
	if before != nil && !challenge.Stale && (p.last == answers || before.challenge.Nonce == challenge.Nonce) {
		return errors.New("the trunk rejects the user name or the password")
	}
	p.last, p.known[answers] = answers, &nonceUse{challenge: challenge}
	return nil
}

// authorizeRequest returns the request with credentials for a challenge and for those before it. The first challenge
// with a supported algorithm is used (RFC 8760 §2.3: the server puts its preferred one first).
func (c *Carrier) authorizeRequest(req *sip.Request, res *sip.Response, known *digestProofs) (*sip.Request, error) {
	asks, answers := "WWW-Authenticate", "Authorization"
	if res.StatusCode == 407 {
		asks, answers = "Proxy-Authenticate", "Proxy-Authorization"
	}
	if c.options.Password == "" {
		return nil, errors.New("the trunk asks for a password, and none is set " +
			"(MUNADI_SIP_PASSWORD, or the trunk's password-env)")
	}
	for _, h := range res.GetHeaders(asks) {
		challenge, err := digest.ParseChallenge(h.Value())
		if err != nil || !digest.CanDigest(challenge) || len(challenge.QOP) > 0 && !challenge.SupportsQOP("auth") {
			continue
		}
		if err := known.addChallenge(answers, challenge); err != nil {
			return nil, err
		}
		return c.withCredentials(req, known)
	}
	return nil, fmt.Errorf("the trunk's %s challenge is not supported: want Digest with MD5 or SHA-256", asks)
}

// withCredentials returns the request with an answer to each challenge.
func (c *Carrier) withCredentials(req *sip.Request, known *digestProofs) (*sip.Request, error) {
	again := nextRequest(req)
	for answers, use := range known.known {
		use.uses++
		proof, err := digest.Digest(use.challenge, digest.Options{
			Method: req.Method.String(), URI: req.Recipient.String(), Count: use.uses,
			Username: c.options.User, Password: c.options.Password,
		})
		if err != nil {
			return nil, err
		}
		again.RemoveHeader(answers)
		again.AppendHeader(sip.NewHeader(answers, proof.String()))
	}
	return again, nil
}

const (
	nonceLife  = time.Minute // from the challenge to its last use
	mostNonces = 4096        // in use at once; beyond them callers are challenged anew
	digestName = "munadi"    // realm of our challenges
)

// callerDigest is the server side of digest authentication (RFC 3261 §22, 7616, 8760): callers of the trunk prove its
// account. A nonce says when it was made and is signed, so that only those in use are kept. The zero value is ready.
type callerDigest struct {
	mu   sync.Mutex
	key  []byte
	used map[string]nonceCount
}

// nonceCount is the last use count (nc) of a nonce: each later request must have a greater one, so that none is taken
// twice. Without qop a nonce is used once.
type nonceCount struct {
	last int
	made time.Time
}

// digestVerdict is the result of a check of credentials.
type digestVerdict int

// The verdicts.
const (
	digestWrong digestVerdict = iota
	digestStale               // the password is right, the nonce too old or used: the caller tries again
	digestRight
)

// makeNonce returns a new nonce: the time in seconds in hexadecimal, 16 random letters and digits, and the signature of
// both.
func (d *callerDigest) makeNonce(now time.Time) string {
	text := strconv.FormatInt(now.Unix(), 16) + "." + rand.Text()[:16]
	return text + "." + d.signNonce(text)
}

func (d *callerDigest) signNonce(text string) string {
	d.mu.Lock()
	if d.key == nil {
		d.key = []byte(rand.Text())
	}
	key := d.key
	d.mu.Unlock()
	sum := hmac.New(sha256.New, key)
	_, _ = sum.Write([]byte(text)) // never fails
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// madeAt returns when a nonce was made; false if it is none of ours.
func (d *callerDigest) madeAt(nonce string) (time.Time, bool) {
	at := strings.LastIndexByte(nonce, '.')
	if at < 0 || !hmac.Equal([]byte(nonce[at+1:]), []byte(d.signNonce(nonce[:at]))) {
		return time.Time{}, false
	}
	seconds, _, _ := strings.Cut(nonce, ".")
	n, err := strconv.ParseInt(seconds, 16, 64)
	return time.Unix(n, 0), err == nil
}

// useNonce takes a use of a nonce; false if it is too old, none of ours, or was used so often already.
func (d *callerDigest) useNonce(nonce string, count int, now time.Time) bool {
	made, ours := d.madeAt(nonce)
	if age := now.Sub(made); !ours || age < -nonceLife || age > nonceLife {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.used) >= mostNonces {
		for old, use := range d.used {
			if now.Sub(use.made) > nonceLife {
				delete(d.used, old)
			}
		}
	}
	before, again := d.used[nonce]
	if count <= before.last || !again && len(d.used) >= mostNonces {
		return false
	}
	if d.used == nil {
		d.used = map[string]nonceCount{}
	}
	d.used[nonce] = nonceCount{count, made}
	return true
}

// newChallenge returns the challenge of a 401. It is the only one: peers that know MD5 alone refuse a response that has
// SHA-256 beside it, as RFC 8760 §2.3 suggests.
func (d *callerDigest) newChallenge(algorithm string, stale bool, now time.Time) *digest.Challenge {
	return &digest.Challenge{
		Realm: digestName, Nonce: d.makeNonce(now), Algorithm: algorithm, QOP: []string{"auth"}, Stale: stale,
	}
}

// checkCredentials checks the credentials of a request against an account.
func (d *callerDigest) checkCredentials(
	req *sip.Request, algorithm, user, password string, now time.Time,
) digestVerdict {
	for _, h := range req.GetHeaders("Authorization") {
		given, err := digest.ParseCredentials(h.Value())
		if err != nil || given.Realm != digestName || !provesPassword(given, req, algorithm, user, password) {
			continue
		}
		if d.useNonce(given.Nonce, max(given.Nc, 1), now) {
			return digestRight
		}
		return digestStale
	}
	return digestWrong
}

// provesPassword reports whether credentials are those of an account for a request, whatever their nonce.
func provesPassword(given *digest.Credentials, req *sip.Request, algorithm, user, password string) bool {
	var uri sip.Uri
	if sip.ParseUri(given.URI, &uri) != nil || !strings.EqualFold(uri.Host, req.Recipient.Host) {
		return false // made for another server; SIPp, for one, leaves the number out
	}
	if !strings.EqualFold(cmp.Or(given.Algorithm, "MD5"), algorithm) {
		return false
	}
	asked := &digest.Challenge{Realm: digestName, Nonce: given.Nonce, Algorithm: algorithm}
	switch given.QOP {
	case "auth":
		asked.QOP = []string{"auth"}
	case "": // RFC 2069
	default:
		return false
	}
	want, err := digest.Digest(asked, digest.Options{
		Method: req.Method.String(), URI: given.URI, Count: given.Nc, Cnonce: given.Cnonce,
		Username: user, Password: password,
	})
	return err == nil && given.Username == user &&
		subtle.ConstantTimeCompare([]byte(want.Response), []byte(strings.ToLower(given.Response))) == 1
}

// authenticateCaller reports whether the caller of an INVITE has proved the trunk's account, if the trunk wants that;
// others are challenged.
func (c *Carrier) authenticateCaller(req *sip.Request, tx sip.ServerTransaction) bool {
	if c.options.Challenge == "" {
		return true
	}
	now := time.Now()
	verdict := c.proofs.checkCredentials(req, c.options.Challenge, c.options.User, c.options.Password, now)
	if verdict == digestRight {
		return true
	}
	if verdict == digestWrong && len(req.GetHeaders("Authorization")) > 0 {
		c.log.Warn("an inbound SIP call is refused: its user name or password is wrong")
		refusals.addRefusal(c, req, 401, call.RefusalDigest)
	}
	if ladders.recordChallenged(req.CallID().Value()) {
		c.addInvite(req)
	}
	asks := c.proofs.newChallenge(c.options.Challenge, verdict == digestStale, now)
	sendResponse(req, tx, 401, "Unauthorized", sip.NewHeader("WWW-Authenticate", asks.String()))
	return false
}

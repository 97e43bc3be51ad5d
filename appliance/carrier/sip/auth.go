package sip

import (
	"errors"
	"fmt"

	"github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"
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

package sip

import (
	"context"
	"errors"
	"strings"

	"github.com/emiago/sipgo/sip"
)

var errRedirection = errors.New("a redirection that is not followed")

// followRedirect follows a 301 or 302 (RFC 3261 §8.1.3.4) once: to another server for the same number. Redirects to
// another number are refused, since the calling rules did not check it; over TLS only the trunk's verified server is
// accepted.
func (i *inviteAttempt) followRedirect(ctx context.Context, res *sip.Response) (*sip.Request, error) {
	if i.moved {
		return nil, errRedirection
	}
	i.moved = true
	for _, h := range res.GetHeaders("Contact") {
		contact, ok := h.(*sip.ContactHeader)
		if !ok || !sameNumber(contact.Address.User, i.invite.Recipient.User) || !isHost(contact.Address.Host) {
			continue
		}
		if i.trunk.transport == "tls" && !strings.EqualFold(contact.Address.Host, i.trunk.host) {
			continue
		}
		if by, err := i.serverAt(ctx, contact.Address); err == nil {
			i.by, i.proofs = by, digestProofs{}
			return i.requestTo(contact.Address), nil
		}
	}
	return nil, errRedirection
}

// sameNumber compares numbers with or without a leading +.
func sameNumber(a, b string) bool {
	a, b = strings.TrimPrefix(a, "+"), strings.TrimPrefix(b, "+")
	return a != "" && a == b
}

// serverAt resolves and connects to the first server of a redirect's address.
func (i *inviteAttempt) serverAt(ctx context.Context, to sip.Uri) (trunkServer, error) {
	t := sipTrunk{host: strings.Trim(to.Host, "[]"), port: to.Port, transport: i.trunk.transport}
	addresses, err := t.resolveAddresses(ctx, i.names)
	if err != nil {
		return trunkServer{}, err
	}
	err = errRedirection
	for _, a := range addresses {
		local, unreachable := i.localAddressFor(a)
		if err = unreachable; err == nil {
			i.guard.addKnownAddress(a.Addr())
			return i.findLocalPort(ctx, trunkServer{remote: a, local: local})
		}
	}
	return trunkServer{}, err
}

// requestTo returns the INVITE for another address, without credentials.
func (i *inviteAttempt) requestTo(address sip.Uri) *sip.Request {
	again := nextRequest(i.invite)
	again.Recipient = sip.Uri{Scheme: "sip", User: address.User, Host: address.Host, Port: address.Port}
	for _, name := range []string{"Authorization", "Proxy-Authorization"} {
		again.RemoveHeader(name)
	}
	again.ReplaceHeader(i.newViaHeader(i.by))
	again.ReplaceHeader(i.newContactHeader(i.by))
	i.sendTo(again, i.by)
	return again
}

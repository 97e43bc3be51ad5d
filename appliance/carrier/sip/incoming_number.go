package sip

import (
	"context"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/store/phonenumber"
)

// calledNumbers returns the numbers in E.164 that an INVITE may be for: its target, the called party that the network
// names (RFC 3455), and To, since a registered trunk sends to our contact address. plus is what the trunk has instead
// of the plus sign.
func calledNumbers(req *sip.Request, plus string) (all []string) {
	users := []string{req.Recipient.User, addressUser(headerOf(req, "P-Called-Party-ID"))}
	if to := req.To(); to != nil {
		users = append(users, to.Address.User)
	}
	for _, user := range users {
		number := internationalNumber(numberText(user), plus)
		if number != "" && !slices.Contains(all, number) {
			all = append(all, number)
		}
	}
	return all
}

// internationalNumber returns a dialled number in E.164; empty for another one.
func internationalNumber(dialled, plus string) string {
	if plus != "" && plus != "+" && strings.HasPrefix(dialled, plus) {
		dialled = dialled[len(plus):]
	}
	number := "+" + strings.TrimPrefix(strings.TrimPrefix(dialled, "+"), "00")
	if !phonenumber.IsE164(number) {
		return ""
	}
	return number
}

// callerNumber returns the caller's number as the trunk gives it: that of P-Asserted-Identity (RFC 3325), which only a
// trusted network may send, else that of From. Empty for a caller who withholds it, by Privacy (RFC 3323) or in From.
func callerNumber(req *sip.Request) string {
	for wanted := range strings.SplitSeq(strings.ToLower(headerOf(req, "Privacy")), ";") {
		if slices.Contains([]string{"id", "user", "header", "session"}, strings.TrimSpace(wanted)) {
			return ""
		}
	}
	for _, h := range req.GetHeaders("P-Asserted-Identity") {
		for value := h.Value(); value != ""; {
			var one string
			one, value = cutOutsideQuotes(value, ',')
			if number := numberText(addressUser(one)); number != "" {
				return number
			}
		}
	}
	from := req.From()
	if from == nil || strings.HasSuffix(strings.ToLower(from.Address.Host), "anonymous.invalid") {
		return ""
	}
	return numberText(from.Address.User)
}

// addressUser returns the user of a sip: address or the number of a tel: address in a header's value, with or without
// a display name.
func addressUser(value string) string {
	_, quoted := cutOutsideQuotes(value, '<')
	if quoted != "" {
		value, _, _ = strings.Cut(quoted, ">")
	}
	scheme, rest, ok := strings.Cut(strings.TrimSpace(value), ":")
	if !ok {
		return ""
	}
	switch strings.ToLower(scheme) {
	case "tel":
		number, _, _ := strings.Cut(rest, ";")
		return number
	case "sip", "sips":
		user, _, found := strings.Cut(rest, "@")
		if !found {
			return ""
		}
		return user
	}
	return ""
}

// mostDigits bounds the text of a number.
const mostDigits = 32

// numberText returns the digits of a user part, with a plus sign before them, without visual separators (RFC 3966
// §5.1.1) and parameters; empty for a name.
func numberText(user string) string {
	if text, err := url.PathUnescape(user); err == nil {
		user = text
	}
	user, _, _ = strings.Cut(user, ";")
	user, _, _ = strings.Cut(user, ":") // a password
	number := strings.Map(func(r rune) rune {
		if strings.ContainsRune("-.() ", r) {
			return -1
		}
		return r
	}, user)
	digits := strings.TrimPrefix(number, "+")
	if digits == "" || len(digits) > mostDigits || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return number
}

const (
	sourcesEvery   = time.Minute     // between two lookups of the trunk's addresses
	sourcesTimeout = 3 * time.Second // of a lookup
)

// trunkSources are the addresses of the trunk's servers, from which it may call in. The zero value is ready.
type trunkSources struct {
	mu    sync.Mutex
	until time.Time
	known []netip.Addr
}

// isTrunk reports whether an address is one of the trunk's; while it cannot be looked up, the last ones count.
func (s *trunkSources) isTrunk(c *Carrier, from netip.Addr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.After(s.until) {
		ctx, cancel := context.WithTimeout(c.life, sourcesTimeout)
		defer cancel()
		found, err := c.trunk.resolveAddresses(ctx, c.names)
		if err == nil {
			s.known = nil
		}
		for _, a := range found {
			s.known = append(s.known, a.Addr())
		}
		s.until = now.Add(sourcesEvery)
	}
	for _, a := range s.known {
		if a == from {
			c.guard.addKnownAddress(from)
			return true
		}
	}
	return false
}

const (
	arrivalRate  = 20 // new calls per second from one address, in the long run,
	arrivalBurst = 40 // and at once
)

// arrivalLimiter limits the new calls from each address of the trunk (token bucket). The zero value is ready.
type arrivalLimiter struct {
	mu sync.Mutex
	by map[netip.Addr]*arrivalBucket
}

// arrivalBucket is what an address has left.
type arrivalBucket struct {
	left float64
	at   time.Time
}

// admit takes a token of an address; false without one.
func (l *arrivalLimiter) admit(from netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	b := l.by[from]
	if b == nil {
		if l.by == nil || len(l.by) >= mostKnown {
			l.by = map[netip.Addr]*arrivalBucket{}
		}
		b = &arrivalBucket{left: arrivalBurst, at: now}
		l.by[from] = b
	}
	b.left = min(arrivalBurst, b.left+now.Sub(b.at).Seconds()*arrivalRate)
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}

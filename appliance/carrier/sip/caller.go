package sip

import (
	"slices"
	"strings"

	"github.com/emiago/sipgo/sip"
)

// CallerHeader is where the trunk takes a call's own caller number from.
type CallerHeader string

// Caller headers.
const (
	CallerInFrom     CallerHeader = "from"     // From; P-Asserted-Identity stays the trunk's
	CallerInIdentity CallerHeader = "identity" // P-Asserted-Identity (RFC 3325); From stays the trunk's
	CallerInBoth     CallerHeader = "both"
)

// addCaller adds P-Asserted-Identity, and sets the call's own caller number where the trunk takes it from. A number
// outside of the allowed prefixes is not shown: the trunk's own is.
func (i *inviteAttempt) addCaller(req *sip.Request) {
	identity := i.options.Identity
	if caller := i.callerNumber(); caller != "" {
		shown := i.dialString(caller)
		if i.options.CallerHeader != CallerInIdentity {
			req.From().Address = i.trunk.userURI(shown)
		}
		if i.options.CallerHeader != CallerInFrom {
			identity = shown
		}
	}
	if identity != "" {
		uri := i.trunk.userURI(identity)
		req.AppendHeader(sip.NewHeader("P-Asserted-Identity", "<"+uri.String()+">"))
	}
}

// callerNumber returns the call's own caller number, if the trunk may show it; else empty.
func (i *inviteAttempt) callerNumber() string {
	caller := i.request.Caller
	if caller == "" || len(i.options.Callers) > 0 && !hasPrefix(caller, i.options.Callers) {
		return ""
	}
	return caller
}

// hasPrefix reports whether a number begins with one of prefixes.
func hasPrefix(number string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(number, prefix) })
}

package sip_test

import (
	"strings"
	"testing"

	"munadi/appliance/carrier/sip"
	"munadi/store/callerid"
)

// TestCallerNumber checks that a call's caller number is sent in the header that the trunk reads, and only if the trunk
// may show it.
func TestCallerNumber(t *testing.T) {
	t.Parallel()
	const own, main = "+966920001234", "966112345678"
	for name, test := range map[string]struct {
		header         sip.CallerHeader
		callers        []string
		numbers        callerid.NumberRules
		identity       string
		from, asserted string // users of the headers
	}{
		"in From, by default":  {from: own},
		"beside the account's": {identity: main, from: own, asserted: main},
		"in the identity":      {header: sip.CallerInIdentity, from: user, asserted: own},
		"in both":              {header: sip.CallerInBoth, identity: main, from: own, asserted: own},
		"one that is allowed":  {callers: []string{"+971", "+96692"}, from: own},
		"one that is not":      {callers: []string{"+971"}, identity: main, from: user, asserted: main},
		"the trunk's": {
			callers: []string{"+971"}, numbers: callerid.NumberRules{"+966": {"+966110000007"}}, identity: main,
			from: "+966110000007", asserted: main,
		},
		"the trunk's in both": {
			callers: []string{"+971"}, numbers: callerid.NumberRules{"+9665": {"+966110000007"}, "+966": {"+966110000008"}},
			header: sip.CallerInBoth, identity: main, from: "+966110000007", asserted: "+966110000007",
		},
		"the call's before the trunk's": {numbers: callerid.NumberRules{"+": {"+966110000007"}}, from: own},
		"the trunk's elsewhere":         {callers: []string{"+971"}, numbers: callerid.NumberRules{"+971": {"+97140000007"}}, from: user},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := startSIPp(t, joinScenario(invited, inviteAnswers("486 Busy Here"), receiveStep("ACK")))
			c := openCarrier(t, peer.TrunkAddress(), func(o *sip.TrunkOptions) {
				o.Identity, o.Callers, o.CallerHeader, o.Numbers = test.identity, test.callers, test.header, test.numbers
			})
			request := newDialRequest("01")
			request.Caller = own
			shown := "nothing"
			request.Shown = func(number string) { shown = number }
			if _, err := c.Dial(t.Context(), request); err == nil {
				t.Fatal("it was answered")
			}
			invite := peer.awaitRequest(t, "INVITE", 1)
			if got := userOf(invite.headerValue("From")); got != test.from {
				t.Errorf("From is %q, want %q", got, test.from)
			}
			if test.header == "" && shown != test.from {
				t.Errorf("shown is %q, want %q", shown, test.from)
			}
			if got := userOf(invite.headerValue("P-Asserted-Identity")); got != test.asserted {
				t.Errorf("P-Asserted-Identity is %q, want %q", got, test.asserted)
			}
		})
	}
}

// userOf returns the user part of a header's address.
func userOf(header string) string {
	_, rest, _ := strings.Cut(header, "sip:")
	before, _, _ := strings.Cut(rest, "@")
	return before
}

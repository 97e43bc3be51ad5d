package sip_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"munadi/appliance/carrier/sip"
)

func newRegistrar(o *sip.TrunkOptions) { o.Register = true }

// testRegistrar keeps registrations: each is challenged, lasts for its expiry, and ends when it is removed. Signs of
// life are answered. SIPp never unsets a variable: what refuse sends comes before any REGISTER is taken.
func testRegistrar(seconds int, refuse ...scenarioStep) string {
	agreed := replyStep("200 OK", fmt.Sprintf("Contact: [$contact];expires=%d", seconds))
	return joinScenario(
		`<recv request="OPTIONS" optional="true" next="alive"/>`, `<label id="again"/>`,
		receiveStep("REGISTER"), replyStep("401 Unauthorized", "WWW-Authenticate: "+challenge),
		`<recv request="REGISTER"><action>
<ereg regexp="Digest" search_in="hdr" header="Authorization:" check_it="true" assign_to="knows"/>
<ereg regexp="Expires: 0" search_in="msg" assign_to="leaves"/>
<ereg regexp="Expires: (0|1800)" search_in="msg" assign_to="long"/>
<ereg regexp="[^ ].*" search_in="hdr" header="Contact:" assign_to="contact"/>
</action></recv>`, joinSteps(refuse...),
		`<nop test="leaves" next="ended"/>`, withAttributes(agreed, `next="again"`), `<label id="ended"/>`, withAttributes(agreed, `next="end"`),
		`<label id="alive"/>`, replyStep("200 OK"), `<Reference variables="knows,long"/>`,
	)
}

// TestRegistration checks that a registration is made, renewed with increasing CSeq numbers of one Call-ID, and ended.
func TestRegistration(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, testRegistrar(2))
	c := openCarrier(t, peer.TrunkAddress(), newRegistrar)
	if n := c.Lines(); n != 0 {
		t.Errorf("%d lines before the registration", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	proven := func() (out []sipMessage) {
		for _, m := range peer.sentRequests("REGISTER") {
			if m.headerValue("Authorization") != "" {
				out = append(out, m)
			}
		}
		return out
	}
	peer.awaitNthRequest(t, "REGISTER with credentials", 3, proven)
	waitUntil(t, peer, func() bool { return c.Lines() > 0 })
	if s := c.Status(); s.Registered.IsZero() || !s.Up || s.Err != nil {
		t.Errorf("%+v", s)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	all := peer.sentRequests("REGISTER")
	checkRegisters(t, all)
	if last := all[len(all)-1]; last.headerValue("Expires") != "0" {
		t.Errorf("the last REGISTER has Expires %q", last.headerValue("Expires"))
	}
	for _, m := range proven() {
		checkProof(t, m)
	}
}

// checkRegisters compares REGISTER requests with RFC 3261 §10.2: the registrar's domain, one Call-ID, increasing CSeq
// numbers, our contact address.
func checkRegisters(t *testing.T, all []sipMessage) {
	t.Helper()
	last := 0
	for _, m := range all {
		var n int
		if _, err := fmt.Sscan(m.headerValue("Cseq"), &n); err != nil || n <= last {
			t.Errorf("CSeq %q after %d", m.headerValue("Cseq"), last)
		}
		last = n
		if m.headerValue("Call-Id") != all[0].headerValue("Call-Id") {
			t.Errorf("Call-ID %q after %q", m.headerValue("Call-Id"), all[0].headerValue("Call-Id"))
		}
		if strings.Contains(m.first, "@") || !strings.Contains(m.headerValue("To"), user+"@") || !strings.Contains(m.headerValue("From"), user+"@") ||
			!strings.Contains(m.headerValue("Contact"), "@127.0.0.1:") {
			t.Errorf("%s To %s From %s Contact %s", m.first, m.headerValue("To"), m.headerValue("From"), m.headerValue("Contact"))
		}
	}
}

// TestRegistrationTooBrief checks a trunk that requires a longer expiry (423, RFC 3261 §10.2.8).
func TestRegistrationTooBrief(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, testRegistrar(1800, `<nop test="long" next="longer"/>`,
		withAttributes(replyStep("423 Interval Too Brief", "Min-Expires: 1800"), `next="again"`), `<label id="longer"/>`))
	c := openCarrier(t, peer.TrunkAddress(), newRegistrar)
	runCarrier(t, c)
	waitUntil(t, peer, func() bool { return c.Lines() > 0 })
	if all := peer.sentRequests("REGISTER"); all[len(all)-1].headerValue("Expires") != "1800" {
		t.Errorf("the last REGISTER has Expires %q", all[len(all)-1].headerValue("Expires"))
	}
}

// TestRegistrationRefused checks that no calls are placed, and that the status has the reason.
func TestRegistrationRefused(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(`<recv request="OPTIONS" optional="true" next="alive"/>`, receiveStep("REGISTER"),
		replyStep("401 Unauthorized", "WWW-Authenticate: "+challenge), receiveStep("REGISTER"), withAttributes(replyStep("403 Forbidden"), `next="end"`),
		`<label id="alive"/>`, replyStep("200 OK")))
	c := openCarrier(t, peer.TrunkAddress(), newRegistrar)
	runCarrier(t, c)
	waitUntil(t, peer, func() bool { return c.Status().Err != nil })
	if s := c.Status(); s.Up || !s.Registered.IsZero() || !strings.Contains(s.Err.Error(), "403") || c.Lines() != 0 {
		t.Errorf("%d lines, %+v", c.Lines(), s)
	}
}

// TestCheck checks that an answered OPTIONS yields the trunk's software and transport, and that no answer is an error.
func TestCheck(t *testing.T) {
	t.Parallel()
	for name, play := range map[string]func(*testing.T, string) *sippPeer{"UDP": startSIPp, "TCP": sippOverTCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := play(t, joinScenario(receiveStep("OPTIONS"), replyStep("200 OK", "Server: Trunk/9")))
			a, err := openCarrier(t, peer.TrunkAddress()).PingTrunk(t.Context())
			if err != nil || a.Status != 200 || a.Server != "Trunk/9" || a.Took <= 0 || !strings.Contains(a.Address, peer.At.String()) {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	t.Run("an answer that is no success", func(t *testing.T) {
		t.Parallel()
		peer := startSIPp(t, joinScenario(receiveStep("OPTIONS"), replyStep("405 Method Not Allowed")))
		if a, err := openCarrier(t, peer.TrunkAddress()).PingTrunk(t.Context()); err != nil || a.Status != 405 {
			t.Errorf("%+v, %v", a, err)
		}
	})
	t.Run("nobody", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithTimeout(t.Context(), patience/30)
		defer cancel()
		if a, err := openCarrier(t, silentAddress(t)).PingTrunk(ctx); err == nil {
			t.Errorf("%+v", a)
		}
	})
}

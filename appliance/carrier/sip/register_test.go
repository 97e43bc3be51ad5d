package sip_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"munadi/appliance/carrier/sip"
)

func registers(o *sip.TrunkOptions) { o.Register = true }

// registrar keeps registrations: each is challenged, lasts for so many seconds, and is over when it is ended. Signs of
// life are answered. SIPp never unsets a variable: what refuse sends comes before any REGISTER is taken.
func registrar(seconds int, refuse ...step) string {
	agreed := replies("200 OK", fmt.Sprintf("Contact: [$contact];expires=%d", seconds))
	return scenario(
		`<recv request="OPTIONS" optional="true" next="alive"/>`, `<label id="again"/>`,
		recv("REGISTER"), replies("401 Unauthorized", "WWW-Authenticate: "+challenge),
		`<recv request="REGISTER"><action>
<ereg regexp="Digest" search_in="hdr" header="Authorization:" check_it="true" assign_to="knows"/>
<ereg regexp="Expires: 0" search_in="msg" assign_to="leaves"/>
<ereg regexp="Expires: (0|1800)" search_in="msg" assign_to="long"/>
<ereg regexp="[^ ].*" search_in="hdr" header="Contact:" assign_to="contact"/>
</action></recv>`, steps(refuse...),
		`<nop test="leaves" next="ended"/>`, then(agreed, `next="again"`), `<label id="ended"/>`, then(agreed, `next="end"`),
		`<label id="alive"/>`, replies("200 OK"), `<Reference variables="knows,long"/>`,
	)
}

// TestRegistration: it is made, kept up with rising numbers of one Call-ID, and ended.
func TestRegistration(t *testing.T) {
	t.Parallel()
	peer := sipp(t, registrar(2))
	c := calls(t, peer.TrunkAddress(), registers)
	if n := c.Lines(); n != 0 {
		t.Errorf("%d lines before the registration", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	proven := func() (out []message) {
		for _, m := range peer.sent("REGISTER") {
			if m.get("Authorization") != "" {
				out = append(out, m)
			}
		}
		return out
	}
	peer.awaited(t, "REGISTER with credentials", 3, proven)
	eventually(t, peer, func() bool { return c.Lines() > 0 })
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
	all := peer.sent("REGISTER")
	checkRegisters(t, all)
	if last := all[len(all)-1]; last.get("Expires") != "0" {
		t.Errorf("the last REGISTER has Expires %q", last.get("Expires"))
	}
	for _, m := range proven() {
		checkProof(t, m)
	}
}

// checkRegisters holds requests to RFC 3261 §10.2: the registrar's domain, one Call-ID, rising numbers, a way to us.
func checkRegisters(t *testing.T, all []message) {
	t.Helper()
	last := 0
	for _, m := range all {
		var n int
		if _, err := fmt.Sscan(m.get("Cseq"), &n); err != nil || n <= last {
			t.Errorf("CSeq %q after %d", m.get("Cseq"), last)
		}
		last = n
		if m.get("Call-Id") != all[0].get("Call-Id") {
			t.Errorf("Call-ID %q after %q", m.get("Call-Id"), all[0].get("Call-Id"))
		}
		if strings.Contains(m.first, "@") || !strings.Contains(m.get("To"), user+"@") || !strings.Contains(m.get("From"), user+"@") ||
			!strings.Contains(m.get("Contact"), "@127.0.0.1:") {
			t.Errorf("%s To %s From %s Contact %s", m.first, m.get("To"), m.get("From"), m.get("Contact"))
		}
	}
}

// TestRegistrationTooBrief: the trunk wants longer ones (RFC 3261 §10.2.8).
func TestRegistrationTooBrief(t *testing.T) {
	t.Parallel()
	peer := sipp(t, registrar(1800, `<nop test="long" next="longer"/>`,
		then(replies("423 Interval Too Brief", "Min-Expires: 1800"), `next="again"`), `<label id="longer"/>`))
	c := calls(t, peer.TrunkAddress(), registers)
	runs(t, c)
	eventually(t, peer, func() bool { return c.Lines() > 0 })
	if all := peer.sent("REGISTER"); all[len(all)-1].get("Expires") != "1800" {
		t.Errorf("the last REGISTER has Expires %q", all[len(all)-1].get("Expires"))
	}
}

// TestRegistrationRefused: no calls are let through, and the state says why.
func TestRegistrationRefused(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(`<recv request="OPTIONS" optional="true" next="alive"/>`, recv("REGISTER"),
		replies("401 Unauthorized", "WWW-Authenticate: "+challenge), recv("REGISTER"), then(replies("403 Forbidden"), `next="end"`),
		`<label id="alive"/>`, replies("200 OK")))
	c := calls(t, peer.TrunkAddress(), registers)
	runs(t, c)
	eventually(t, peer, func() bool { return c.Status().Err != nil })
	if s := c.Status(); s.Up || !s.Registered.IsZero() || !strings.Contains(s.Err.Error(), "403") || c.Lines() != 0 {
		t.Errorf("%d lines, %+v", c.Lines(), s)
	}
}

// TestCheck: a sign of life names the trunk's software and how it was reached; silence is an error.
func TestCheck(t *testing.T) {
	t.Parallel()
	for name, play := range map[string]func(*testing.T, string) *stranger{"UDP": sipp, "TCP": sippOverTCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := play(t, scenario(recv("OPTIONS"), replies("200 OK", "Server: Trunk/9")))
			a, err := calls(t, peer.TrunkAddress()).PingTrunk(t.Context())
			if err != nil || a.Status != 200 || a.Server != "Trunk/9" || a.Took <= 0 || !strings.Contains(a.Address, peer.At.String()) {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	t.Run("an answer that is no success", func(t *testing.T) {
		t.Parallel()
		peer := sipp(t, scenario(recv("OPTIONS"), replies("405 Method Not Allowed")))
		if a, err := calls(t, peer.TrunkAddress()).PingTrunk(t.Context()); err != nil || a.Status != 405 {
			t.Errorf("%+v, %v", a, err)
		}
	})
	t.Run("nobody", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithTimeout(t.Context(), patience/30)
		defer cancel()
		if a, err := calls(t, nobody(t)).PingTrunk(ctx); err == nil {
			t.Errorf("%+v", a)
		}
	})
}

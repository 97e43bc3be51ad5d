package sip_test

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
	"munadi/store/call"
)

// dialTraced dials, hangs up after the answer, and returns the trace of the call.
func dialTraced(t *testing.T, c *sip.Carrier) *call.LineTrace {
	t.Helper()
	r := newDialRequest("01")
	r.Trace = &carrier.TraceRecorder{}
	line, err := c.Dial(t.Context(), r)
	if err == nil {
		line.Hangup()
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	trace := r.Trace.FinishTrace(ctx)
	if trace == nil {
		t.Fatalf("nothing was recorded; Dial: %v", err)
	}
	return trace
}

// hasRung reports whether a ladder has a message of that direction whose start line begins so.
func hasRung(t *call.LineTrace, sent bool, begin string) bool {
	return slices.ContainsFunc(t.Messages, func(m call.SIPMessage) bool {
		return m.Sent == sent && strings.HasPrefix(m.Line, begin)
	})
}

// checkNoSecrets fails if a ladder holds the number, the account or anything of the digest.
func checkNoSecrets(t *testing.T, trace *call.LineTrace) {
	t.Helper()
	for _, m := range trace.Messages {
		text := strings.Join(append(append([]string{m.Line}, m.Headers...), m.SDP...), "\n")
		for _, secret := range []string{
			newDialRequest("01").Number[1:], user, password, "dcd98b71", "response=", "cnonce", "nonce=", "opaque", "realm=",
		} {
			if strings.Contains(text, secret) {
				t.Errorf("the ladder tells %q:\n%s", secret, text)
			}
		}
	}
}

// TestLadderOfACall checks that the ladder of a call holds its messages until the response to the BYE, without secrets.
func TestLadderOfACall(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, isChallenge("407 Proxy Authentication Required", "Proxy-Authenticate: "+challenge, accepted))
	trace := dialTraced(t, openCarrier(t, peer.TrunkAddress()))
	for _, begin := range []string{"INVITE sip:+9665•••••01@", "ACK", "BYE"} {
		if !hasRung(trace, true, begin) {
			t.Errorf("no %s was sent: %+v", begin, trace.Messages)
		}
	}
	for _, begin := range []string{"SIP/2.0 100", "SIP/2.0 407", "SIP/2.0 200"} {
		if !hasRung(trace, false, begin) {
			t.Errorf("no %s came: %+v", begin, trace.Messages)
		}
	}
	invite := trace.Messages[slices.IndexFunc(trace.Messages, func(m call.SIPMessage) bool { return m.Sent })]
	if !slices.ContainsFunc(invite.SDP, func(l string) bool { return strings.HasPrefix(l, "m=audio ") }) ||
		!strings.HasPrefix(invite.Peer, "udp 127.") || invite.At.IsZero() {
		t.Errorf("the INVITE is %+v", invite)
	}
	checkNoSecrets(t, trace)
}

// TestLadderOfAWrongPassword checks that a ladder shows the refusal of our credentials, and not the credentials.
func TestLadderOfAWrongPassword(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, isChallenge("401 Unauthorized", "WWW-Authenticate: "+challenge,
		inviteAnswers("403 Forbidden"), receiveStep("ACK")))
	trace := dialTraced(t, openCarrier(t, peer.TrunkAddress()))
	if !hasRung(trace, false, "SIP/2.0 401") || !hasRung(trace, false, "SIP/2.0 403") {
		t.Errorf("recorded %+v", trace.Messages)
	}
	if !slices.ContainsFunc(trace.Messages, func(m call.SIPMessage) bool { return slices.Contains(m.Headers, "Authorization: •••") }) {
		t.Error("it does not show that credentials were sent")
	}
	checkNoSecrets(t, trace)
}

// TestLadderOfAnInboundCall checks that the ladder of an inbound call begins with its INVITE and has its end.
func TestLadderOfAnInboundCall(t *testing.T) {
	t.Parallel()
	traces := make(chan *call.LineTrace, 1)
	trunk := newCallingTrunk(t, func(in carrier.IncomingCall) {
		in.Refuse(carrier.RefuseBusy)
		traces <- in.(carrier.TracedCall).Trace().FinishTrace(t.Context())
	})
	trunk.play(t, inviteUs(), receiveStep("100"), receiveStep("486"), trunkRequest(1, "ACK", "sip:x@[remote_ip]", ""))
	got := <-traces
	if got == nil || !hasRung(got, false, "INVITE sip:+9661•••••78@") && !hasRung(got, false, "INVITE sip:96611•••••78@") || !hasRung(got, true, "SIP/2.0 486") {
		t.Errorf("recorded %+v", got)
	}
}

// TestRefusedCalls checks that inbound calls that are refused are kept with their messages: as busy, and from an address
// that is none of the trunk's.
func TestRefusedCalls(t *testing.T) {
	t.Parallel()
	trunk := newCallingTrunk(t, func(in carrier.IncomingCall) { in.Refuse(carrier.RefuseBusy) }, func(o *sip.TrunkOptions) { o.Name = "refusing" })
	for i, from := range []netip.Addr{trunk.at.Addr(), sipptest.OwnAddress(), trunk.at.Addr()} {
		socket, err := net.DialUDP("udp", &net.UDPAddr{IP: from.AsSlice()}, net.UDPAddrFromAddrPort(trunk.carrier.Address()))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = socket.Close() })
		if _, err := fmt.Fprintf(socket, "INVITE sip:966112345678@192.0.2.2 SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKr%[1]d;rport\r\n"+
			"From: <sip:+966500000007@192.0.2.1>;tag=%[1]d\r\nTo: <sip:966112345678@192.0.2.2>\r\nCall-ID: refused%[1]d\r\nCSeq: 1 INVITE\r\n"+
			"Contact: <sip:x@192.0.2.1>\r\nContent-Length: 0\r\n\r\n", i); err != nil {
			t.Fatal(err)
		}
	}
	for status, want := range map[int]struct {
		times int
		line  string
	}{486: {2, "SIP/2.0 486 Busy Here"}, 480: {1, "SIP/2.0 480 Temporarily"}} {
		var r call.RefusedCall
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if err := sipptest.PollUntil(ctx, nil, func() bool {
			all := sip.RefusedCalls()
			i := slices.IndexFunc(all, func(r call.RefusedCall) bool {
				return r.Trunk == "refusing" && r.Status == status && r.Times == want.times
			})
			if i >= 0 {
				r = all[i]
			}
			return i >= 0
		}); err != nil {
			t.Fatalf("%d: %v: %+v", status, err, sip.RefusedCalls())
		}
		trace := &call.LineTrace{Messages: r.Messages}
		if !hasRung(trace, false, "INVITE sip:96611•••••78@") && !hasRung(trace, false, "INVITE sip:+9661•••••78@") || !hasRung(trace, true, want.line) ||
			r.Cause == "" || r.Caller != "+9665•••••07" || r.Called != "+9661•••••78" || r.Last.Before(r.First) {
			t.Errorf("%d: %+v", status, r)
		}
		for i, tags := range []int{1, 2} { // the INVITE has the caller's alone
			if headers := strings.Join(r.Messages[i].Headers, "\n"); strings.Count(headers, ";tag=") != tags {
				t.Errorf("message %d has other headers:\n%s", i, headers)
			}
		}
	}
}

// TestRedactForLadder checks a message with secrets in unusual places.
func TestRedactForLadder(t *testing.T) {
	t.Parallel()
	m, ok := sip.Redact(strings.Replace(hostile, "Authorization:", "Subject: Sara owes\r\nX-Auth-Token: 1f2e\r\nIdentity: eyJhbGci\r\n"+
		"P-Asserted-Identity: Sara <sip:sara:geheim@h>\r\nWWW-Authenticate: Digest nonce=\"abc\"\r\nAuthorization:", 1))
	if !ok {
		t.Fatal("it is no message")
	}
	text := strings.Join(append(append([]string{m.Line}, m.Headers...), m.SDP...), "\n")
	for _, secret := range []string{"501234567", "Sara", "sara", "geheim", "1f2e", "eyJ", "abc\"", "0123456789abcdef", "inline:"} {
		if strings.Contains(text, secret) {
			t.Errorf("it tells %q:\n%s", secret, text)
		}
	}
	for _, kept := range []string{"Via: SIP/2.0/TLS 192.0.2.1:5061", "Authorization: •••", "m=audio 4000"} {
		if !strings.Contains(text, kept) {
			t.Errorf("without %q:\n%s", kept, text)
		}
	}
	if id := sip.FindCallID([]byte("BYE x SIP/2.0\r\nI : a@b \r\n\r\n")); id != "a@b" {
		t.Errorf("its Call-ID is %q", id)
	}
}

// FuzzRedactForLadder checks that no message keeps credentials, or more than the limits of a ladder.
func FuzzRedactForLadder(f *testing.F) {
	f.Add(hostile, "s3cret")
	f.Add("SIP/2.0 200\n\na=crypto:", "x")
	f.Fuzz(func(t *testing.T, message, value string) {
		sip.FindCallID([]byte(message))
		m, ok := sip.Redact(message)
		if !ok {
			return
		}
		size := len(m.Line)
		for _, line := range append(append([]string{}, m.Headers...), m.SDP...) {
			if size += len(line); strings.ContainsAny(line, "\n") {
				t.Errorf("a line break in %q", line)
			}
		}
		if len(m.Headers) > 64 || len(m.SDP) > 48 || size > 1<<17 {
			t.Errorf("%d headers, %d lines, %d bytes", len(m.Headers), len(m.SDP), size)
		}
		if strings.ContainsAny(value, "\r\n") || len(value) < 6 || strings.Contains("Authorization: •••OPTIONS x SIP/2.0", strings.TrimSpace(value)) {
			return
		}
		m, _ = sip.Redact("OPTIONS x SIP/2.0\r\nAuthorization: Digest response=\"" + value + "\"\r\n\r\n")
		if strings.Contains(m.Line+strings.Join(m.Headers, ""), value) {
			t.Errorf("credentials %q are in %q", value, m.Headers)
		}
	})
}

package sip_test

import (
	"slices"
	"strings"
	"testing"

	"munadi/appliance/carrier/sip"
)

// TestSignallingLog checks that the SIP messages of a call are logged in order, without its number, our account,
// credentials and keys.
func TestSignallingLog(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, isChallenge("407 Proxy Authentication Required", "Proxy-Authenticate: "+challenge, accepted))
	r := newDialRequest("01")
	r.CallID = "call_traced"
	line, err := openCarrier(t, peer.TrunkAddress()).Dial(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	line.Hangup()
	peer.awaitRequest(t, "BYE", 1)
	waitUntil(t, peer, func() bool { // a message is traced when its sending has returned
		return slices.ContainsFunc(sip.SignallingLog(), func(m string) bool {
			return strings.Contains(m, "Call-ID: call_traced-") && strings.Contains(m, "\nBYE ")
		})
	})
	var firsts []string
	for _, m := range sip.SignallingLog() {
		if !strings.Contains(m, "Call-ID: call_traced-") {
			continue
		}
		lines := strings.Split(m, "\n")
		firsts = append(firsts, strings.Fields(lines[0])[1]+" "+lines[1])
		for _, secret := range []string{r.Number[1:], user, "dcd98b71", "response=", "cnonce", password} {
			if strings.Contains(m, secret) {
				t.Errorf("it tells %q:\n%s", secret, m)
			}
		}
	}
	// The order is not checked: a message is traced when its sending has returned, and on loopback the next one may be
	// received before.
	want := []string{"-> INVITE sip:•••@", "-> ACK", "-> INVITE", "-> ACK", "-> BYE", "<- SIP/2.0 100", "<- SIP/2.0 407", "<- SIP/2.0 200"}
	left := slices.Clone(firsts)
	for _, w := range want {
		at := slices.IndexFunc(left, func(s string) bool { return strings.HasPrefix(s, w) })
		if at < 0 {
			t.Fatalf("no %q, or not so often, in %q", w, firsts)
		}
		left = slices.Delete(left, at, at+1)
	}
}

// hostile is a message with secrets in unusual places.
const hostile = "INVITE sip:00966501234567@trunk.example;user=phone SIP/2.0\r\nVia: SIP/2.0/TLS 192.0.2.1:5061;branch=z9hG4bKx\r\n" +
	"f: \"Sara 0501234567\" <sip:sara@example>;tag=abc\r\nTo: <tel:+966501234567>\r\nCall-ID: 966501234567@pbx\r\n" +
	"Contact: <sip:966501234567@192.0.2.1>\r\nRefer-To: <sip:966500000000@x>\r\nP-Asserted-Identity: <tel:+966501234567>\r\n" +
	"Authorization: Digest username=\"966501234567\", response=\"0123456789abcdef\"\r\nWarning: 399 x \"no 966501234567\"\r\n" +
	"Content-Type: application/sdp\r\n\r\nv=0\r\no=sara 1 1 IN IP4 192.0.2.1\r\ns=Sara\r\nc=IN IP4 192.0.2.1\r\nm=audio 4000 RTP/SAVP 8\r\n" +
	"a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz\r\na=sendrecv\r\n"

func TestRedact(t *testing.T) {
	t.Parallel()
	got := sip.RedactMessage(hostile)
	for _, secret := range []string{"50123", "sara", "Sara", "inline", "response", "0123456789"} {
		if strings.Contains(got, secret) {
			t.Errorf("it tells %q:\n%s", secret, got)
		}
	}
	for _, kept := range []string{"INVITE sip:•••@trunk.example", "192.0.2.1:5061", "f: <•••>;tag=abc", "m=audio 4000 RTP/SAVP 8", "a=sendrecv"} {
		if !strings.Contains(got, kept) {
			t.Errorf("it does not tell %q:\n%s", kept, got)
		}
	}
	keys := sip.RedactMessage("INFO sip:x@y SIP/2.0\r\nContent-Type: application/dtmf-relay\r\n\r\nSignal=5\r\n")
	if strings.Contains(keys, "Signal") || sip.RedactMessage("\r\n\r\n") != "" || sip.RedactMessage("hello") != "" {
		t.Errorf("keys or no message: %q", keys)
	}
}

func FuzzRedact(f *testing.F) {
	f.Add(hostile)
	f.Add("SIP/2.0 200 OK\n\n")
	f.Fuzz(func(t *testing.T, message string) {
		if got := sip.RedactMessage(message); len(got) > 4*len(message)+200 {
			t.Errorf("%d bytes become %d", len(message), len(got))
		}
		for _, secret := range []string{"966501234567", "AES_CM_128"} {
			if got := sip.RedactMessage("OPTIONS sip:a SIP/2.0\nTo: x" + "\nContact: " + secret + "\na=crypto:" + secret + "\n" + message); strings.Contains(got, "966501234567") {
				t.Errorf("it tells %q: %q", secret, got)
			}
		}
	})
}

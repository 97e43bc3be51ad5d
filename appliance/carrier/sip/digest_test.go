package sip_test

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/store/call"
)

// challenge is the value of a WWW-Authenticate header.
const challenge = `Digest realm="trunk.example", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", qop="auth", opaque="5ccc", algorithm=MD5`

// isChallenge challenges the INVITE once and answers the next INVITE with the given steps.
func isChallenge(status, header string, then ...scenarioStep) string {
	all := []scenarioStep{invited, inviteAnswers("100 Trying"), inviteAnswers(status, header), receiveStep("ACK"), invited, inviteAnswers("100 Trying")}
	return joinScenario(append(all, then...)...)
}

var accepted = joinSteps(agreeAnswer(), receiveStep("ACK"), weHangUp)

// TestDigest checks the answer to each kind of challenge against RFC 7616, computed here independently.
func TestDigest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, status, header string }{
		{"401", "401 Unauthorized", "WWW-Authenticate: " + challenge},
		{"407", "407 Proxy Authentication Required", "Proxy-Authenticate: " + challenge},
		{"SHA-256", "401 Unauthorized", "WWW-Authenticate: " + strings.Replace(challenge, "MD5", "SHA-256", 1)},
		{"no qop, no algorithm", "401 Unauthorized", `WWW-Authenticate: Digest realm="trunk.example", nonce="7c2b"`},
		{"qop of two kinds", "407 Proxy Authentication Required", "Proxy-Authenticate: " + strings.Replace(challenge, `"auth"`, `"auth,auth-int"`, 1)},
		{
			"the second of two", "401 Unauthorized",
			"WWW-Authenticate: " + strings.Replace(challenge, "MD5", "SHA3-512", 1) + "\nWWW-Authenticate: " + challenge,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			peer := startSIPp(t, isChallenge(c.status, c.header, accepted))
			dialLine(t, openCarrier(t, peer.TrunkAddress())).Hangup()
			peer.awaitRequest(t, "BYE", 1)
			first, second := peer.awaitRequest(t, "INVITE", 1), peer.awaitRequest(t, "INVITE", 2)
			checkProof(t, second)
			checkFollows(t, first, second)
		})
	}
}

// checkFollows expects the second request to repeat the first one in a new transaction of the same call (RFC 3261
// §8.1.3.5).
func checkFollows(t *testing.T, first, second sipMessage) {
	t.Helper()
	for _, name := range []string{"From", "To", "Call-Id", "Contact"} {
		if first.headerValue(name) != second.headerValue(name) {
			t.Errorf("%s %q becomes %q", name, first.headerValue(name), second.headerValue(name))
		}
	}
	if first.body != second.body || first.first != second.first {
		t.Errorf("another body or request line: %s", second.first)
	}
	var one, two int
	for m, n := range map[*sipMessage]*int{&first: &one, &second: &two} {
		if _, err := fmt.Sscan(m.headerValue("Cseq"), n); err != nil {
			t.Fatal(err)
		}
	}
	if two != one+1 {
		t.Errorf("CSeq %q, then %q", first.headerValue("Cseq"), second.headerValue("Cseq"))
	}
	branch := regexp.MustCompile(`branch=[^;]+`)
	if branch.FindString(first.headerValue("Via")) == branch.FindString(second.headerValue("Via")) {
		t.Error("the same branch twice")
	}
}

// parameter returns a parameter of an Authorization header: name=value or name="value".
var parameter = regexp.MustCompile(`([a-z]+)=(?:"([^"]*)"|([^",\s]+))`)

// checkProof verifies the credentials of a request (RFC 7616 §3.4.1).
func checkProof(t *testing.T, m sipMessage) {
	t.Helper()
	header := m.headerValue("Authorization") + m.headerValue("Proxy-Authorization")
	p := map[string]string{}
	for _, found := range parameter.FindAllStringSubmatch(header, -1) {
		p[found[1]] = found[2] + found[3]
	}
	hash := func(s string) string { b := md5.Sum([]byte(s)); return hex.EncodeToString(b[:]) }
	if p["algorithm"] == "SHA-256" {
		hash = func(s string) string { b := sha256.Sum256([]byte(s)); return hex.EncodeToString(b[:]) }
	}
	ha1, ha2 := hash(user+":trunk.example:"+password), hash(m.requestMethod()+":"+p["uri"])
	want := hash(ha1 + ":" + p["nonce"] + ":" + ha2)
	if p["qop"] != "" {
		want = hash(strings.Join([]string{ha1, p["nonce"], p["nc"], p["cnonce"], p["qop"], ha2}, ":"))
	}
	uri := strings.Fields(m.first)[1]
	if p["username"] != user || p["realm"] != "trunk.example" || p["uri"] != uri || p["response"] != want {
		t.Errorf("credentials of %q: %s, want the response %s", m.first, header, want)
	}
}

// TestDigestVerifiedBySIPp checks our credentials with SIPp's own verification.
func TestDigestVerifiedBySIPp(t *testing.T) {
	t.Parallel()
	verified := scenarioStep(strings.NewReplacer(`"INVITE"`, `"INVITE" test="right" next="good"`, "</action>",
		fmt.Sprintf(`<verifyauth assign_to="right" username=%q password=%q/></action>`, user, password)).Replace(string(invited)))
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("401 Unauthorized", "WWW-Authenticate: "+strings.Replace(challenge, `qop="auth", `, "", 1)), receiveStep("ACK"),
		verified, inviteAnswers("403 Forbidden"), receiveStep("ACK"), `<nop next="end"/>`, `<label id="good"/>`, accepted))
	dialLine(t, openCarrier(t, peer.TrunkAddress())).Hangup()
	peer.awaitRequest(t, "BYE", 1)
}

// TestStaleNonce checks that a stale nonce is not treated as a wrong password (RFC 7616 §3.3).
func TestStaleNonce(t *testing.T) {
	t.Parallel()
	stale := strings.Replace(challenge, `nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"`, `nonce="second", stale=true`, 1)
	peer := startSIPp(t, isChallenge("401 Unauthorized", "WWW-Authenticate: "+challenge,
		inviteAnswers("401 Unauthorized", "WWW-Authenticate: "+stale), receiveStep("ACK"), invited, accepted))
	dialLine(t, openCarrier(t, peer.TrunkAddress())).Hangup()
	last := peer.awaitRequest(t, "INVITE", 3)
	if !strings.Contains(last.headerValue("Authorization"), `nonce="second"`) || len(last.header["Authorization"]) != 1 {
		t.Errorf("the credentials are %q", last.header["Authorization"])
	}
	checkProof(t, last)
}

// TestProxyAndServer checks that after challenges by a proxy and a server the last INVITE has the credentials for both.
func TestProxyAndServer(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, isChallenge("407 Proxy Authentication Required", "Proxy-Authenticate: "+challenge,
		inviteAnswers("401 Unauthorized", "WWW-Authenticate: "+challenge), receiveStep("ACK"), invited, accepted))
	dialLine(t, openCarrier(t, peer.TrunkAddress())).Hangup()
	last := peer.awaitRequest(t, "INVITE", 3)
	if last.headerValue("Authorization") == "" || last.headerValue("Proxy-Authorization") == "" {
		t.Errorf("credentials for the server %q, for the proxy %q", last.headerValue("Authorization"), last.headerValue("Proxy-Authorization"))
	}
}

// TestWrongPassword checks that refused credentials are not sent repeatedly, and that the failure is not the callee's.
func TestWrongPassword(t *testing.T) {
	t.Parallel()
	none := func(o *sip.TrunkOptions) { o.Password = "" }
	once := joinScenario(invited, inviteAnswers("401 Unauthorized", "WWW-Authenticate: "+challenge), receiveStep("ACK"))
	for _, c := range []struct {
		name, scenario string
		change         func(*sip.TrunkOptions)
		code           int
	}{
		{"403", isChallenge("401 Unauthorized", "WWW-Authenticate: "+challenge, inviteAnswers("403 Forbidden"), receiveStep("ACK")), nil, 403},
		{
			"401 again",
			isChallenge("401 Unauthorized", "WWW-Authenticate: "+challenge, inviteAnswers("401 Unauthorized", "WWW-Authenticate: "+challenge), receiveStep("ACK")),
			nil, 401,
		},
		{"no password", once, none, 401},
		{"a challenge that nobody knows", strings.Replace(once, "algorithm=MD5", "algorithm=AKAv1-MD5", 1), nil, 401},
		{"no challenge at all", joinScenario(invited, inviteAnswers("407 Proxy Authentication Required"), receiveStep("ACK")), nil, 407},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			peer := startSIPp(t, c.scenario)
			var changes []func(*sip.TrunkOptions)
			if c.change != nil {
				changes = append(changes, c.change)
			}
			r := dialRefused(t, openCarrier(t, peer.TrunkAddress(), changes...))
			wantCode(t, "the status", r.SIPCode, c.code)
			if status, f := carrier.ClassifyRefusal(r); status != call.Failed || f.Reason != call.CarrierFailure {
				t.Errorf("it is %s (%s)", status, f.Reason)
			}
		})
	}
}

// TestChallengedHangUp checks that a challenged BYE is sent again with credentials: otherwise the call would continue.
func TestChallengedHangUp(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), receiveStep("BYE"),
		replyStep("407 Proxy Authentication Required", "Proxy-Authenticate: "+challenge), receiveStep("BYE"), replyStep("200 OK")))
	dialLine(t, openCarrier(t, peer.TrunkAddress())).Hangup()
	checkProof(t, peer.awaitRequest(t, "BYE", 2))
}

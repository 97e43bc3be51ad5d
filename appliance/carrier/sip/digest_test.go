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

// challenge is what follows "WWW-Authenticate: ".
const challenge = `Digest realm="trunk.example", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", qop="auth", opaque="5ccc", algorithm=MD5`

// isChallenge asks once for a password and answers the INVITE that follows as given.
func isChallenge(status, header string, then ...step) string {
	all := []step{invited, inviteAnswers("100 Trying"), inviteAnswers(status, header), recv("ACK"), invited, inviteAnswers("100 Trying")}
	return scenario(append(all, then...)...)
}

var accepted = steps(agrees(), recv("ACK"), weHangUp)

// TestDigest: each kind of challenge is answered with what RFC 7616 says, computed here once more.
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
			peer := sipp(t, isChallenge(c.status, c.header, accepted))
			dial(t, calls(t, peer.TrunkAddress())).Hangup()
			peer.await(t, "BYE", 1)
			first, second := peer.await(t, "INVITE", 1), peer.await(t, "INVITE", 2)
			checkProof(t, second)
			checkFollows(t, first, second)
		})
	}
}

// checkFollows wants the second to be the first one once more: a new transaction of the same call (RFC 3261 §8.1.3.5).
func checkFollows(t *testing.T, first, second message) {
	t.Helper()
	for _, name := range []string{"From", "To", "Call-Id", "Contact"} {
		if first.get(name) != second.get(name) {
			t.Errorf("%s %q becomes %q", name, first.get(name), second.get(name))
		}
	}
	if first.body != second.body || first.first != second.first {
		t.Errorf("another body or request line: %s", second.first)
	}
	var one, two int
	for m, n := range map[*message]*int{&first: &one, &second: &two} {
		if _, err := fmt.Sscan(m.get("Cseq"), n); err != nil {
			t.Fatal(err)
		}
	}
	if two != one+1 {
		t.Errorf("CSeq %q, then %q", first.get("Cseq"), second.get("Cseq"))
	}
	branch := regexp.MustCompile(`branch=[^;]+`)
	if branch.FindString(first.get("Via")) == branch.FindString(second.get("Via")) {
		t.Error("the same branch twice")
	}
}

// parameter is one of an Authorization header's: name=value or name="value".
var parameter = regexp.MustCompile(`([a-z]+)=(?:"([^"]*)"|([^",\s]+))`)

// checkProof wants the credentials of a request to be right (RFC 7616 §3.4.1).
func checkProof(t *testing.T, m message) {
	t.Helper()
	header := m.get("Authorization") + m.get("Proxy-Authorization")
	p := map[string]string{}
	for _, found := range parameter.FindAllStringSubmatch(header, -1) {
		p[found[1]] = found[2] + found[3]
	}
	hash := func(s string) string { b := md5.Sum([]byte(s)); return hex.EncodeToString(b[:]) }
	if p["algorithm"] == "SHA-256" {
		hash = func(s string) string { b := sha256.Sum256([]byte(s)); return hex.EncodeToString(b[:]) }
	}
	ha1, ha2 := hash(user+":trunk.example:"+password), hash(m.method()+":"+p["uri"])
	want := hash(ha1 + ":" + p["nonce"] + ":" + ha2)
	if p["qop"] != "" {
		want = hash(strings.Join([]string{ha1, p["nonce"], p["nc"], p["cnonce"], p["qop"], ha2}, ":"))
	}
	uri := strings.Fields(m.first)[1]
	if p["username"] != user || p["realm"] != "trunk.example" || p["uri"] != uri || p["response"] != want {
		t.Errorf("credentials of %q: %s, want the response %s", m.first, header, want)
	}
}

// TestDigestByTheirOwnArithmetic: SIPp computes the answer by itself too.
func TestDigestByTheirOwnArithmetic(t *testing.T) {
	t.Parallel()
	verified := step(strings.NewReplacer(`"INVITE"`, `"INVITE" test="right" next="good"`, "</action>",
		fmt.Sprintf(`<verifyauth assign_to="right" username=%q password=%q/></action>`, user, password)).Replace(string(invited)))
	peer := sipp(t, scenario(invited, inviteAnswers("401 Unauthorized", "WWW-Authenticate: "+strings.Replace(challenge, `qop="auth", `, "", 1)), recv("ACK"),
		verified, inviteAnswers("403 Forbidden"), recv("ACK"), `<nop next="end"/>`, `<label id="good"/>`, accepted))
	dial(t, calls(t, peer.TrunkAddress())).Hangup()
	peer.await(t, "BYE", 1)
}

// TestStaleNonce: a nonce that is too old is no wrong password (RFC 7616 §3.3, stale).
func TestStaleNonce(t *testing.T) {
	t.Parallel()
	stale := strings.Replace(challenge, `nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"`, `nonce="second", stale=true`, 1)
	peer := sipp(t, isChallenge("401 Unauthorized", "WWW-Authenticate: "+challenge,
		inviteAnswers("401 Unauthorized", "WWW-Authenticate: "+stale), recv("ACK"), invited, accepted))
	dial(t, calls(t, peer.TrunkAddress())).Hangup()
	last := peer.await(t, "INVITE", 3)
	if !strings.Contains(last.get("Authorization"), `nonce="second"`) || len(last.header["Authorization"]) != 1 {
		t.Errorf("the credentials are %q", last.header["Authorization"])
	}
	checkProof(t, last)
}

// TestProxyAndServer: one asks after the other; the last INVITE has the credentials of both.
func TestProxyAndServer(t *testing.T) {
	t.Parallel()
	peer := sipp(t, isChallenge("407 Proxy Authentication Required", "Proxy-Authenticate: "+challenge,
		inviteAnswers("401 Unauthorized", "WWW-Authenticate: "+challenge), recv("ACK"), invited, accepted))
	dial(t, calls(t, peer.TrunkAddress())).Hangup()
	last := peer.await(t, "INVITE", 3)
	if last.get("Authorization") == "" || last.get("Proxy-Authorization") == "" {
		t.Errorf("credentials for the server %q, for the proxy %q", last.get("Authorization"), last.get("Proxy-Authorization"))
	}
}

// TestWrongPassword: who is refused does not ask on and on, and blames no customer.
func TestWrongPassword(t *testing.T) {
	t.Parallel()
	none := func(o *sip.TrunkOptions) { o.Password = "" }
	once := scenario(invited, inviteAnswers("401 Unauthorized", "WWW-Authenticate: "+challenge), recv("ACK"))
	for _, c := range []struct {
		name, scenario string
		change         func(*sip.TrunkOptions)
		code           int
	}{
		{"403", isChallenge("401 Unauthorized", "WWW-Authenticate: "+challenge, inviteAnswers("403 Forbidden"), recv("ACK")), nil, 403},
		{
			"401 again",
			isChallenge("401 Unauthorized", "WWW-Authenticate: "+challenge, inviteAnswers("401 Unauthorized", "WWW-Authenticate: "+challenge), recv("ACK")),
			nil, 401,
		},
		{"no password", once, none, 401},
		{"a challenge that nobody knows", strings.Replace(once, "algorithm=MD5", "algorithm=AKAv1-MD5", 1), nil, 401},
		{"no challenge at all", scenario(invited, inviteAnswers("407 Proxy Authentication Required"), recv("ACK")), nil, 407},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			peer := sipp(t, c.scenario)
			var changes []func(*sip.TrunkOptions)
			if c.change != nil {
				changes = append(changes, c.change)
			}
			r := refused(t, calls(t, peer.TrunkAddress(), changes...))
			wantCode(t, "the status", r.SIPCode, c.code)
			if status, f := carrier.ClassifyRefusal(r); status != call.Failed || f.Reason != call.CarrierFailure {
				t.Errorf("it is %s (%s)", status, f.Reason)
			}
		})
	}
}

// TestChallengedHangUp: a BYE that is challenged is sent again with credentials: else the call would go on.
func TestChallengedHangUp(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, agrees(), recv("ACK"), recv("BYE"),
		replies("407 Proxy Authentication Required", "Proxy-Authenticate: "+challenge), recv("BYE"), replies("200 OK")))
	dial(t, calls(t, peer.TrunkAddress())).Hangup()
	checkProof(t, peer.await(t, "BYE", 2))
}

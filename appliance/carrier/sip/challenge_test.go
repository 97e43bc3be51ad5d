package sip_test

import (
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sipmessage "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
	"munadi/store/call"
)

const ourNumber = "sip:966112345678@192.0.2.1:5060"

// askedInvite returns an INVITE to our number with credentials, if there are any.
func askedInvite(t *testing.T, proof *digest.Credentials) *sipmessage.Request {
	t.Helper()
	var to sipmessage.Uri
	if err := sipmessage.ParseUri(ourNumber, &to); err != nil {
		t.Fatal(err)
	}
	req := sipmessage.NewRequest(sipmessage.INVITE, to)
	if proof != nil {
		req.AppendHeader(sipmessage.NewHeader("Authorization", proof.String()))
	}
	return req
}

// TestCallerDigest checks which credentials of an INVITE prove the account: each algorithm, with qop and without; each
// nonce for a minute, and each of its use counts once.
func TestCallerDigest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asks := sip.NewCallerDigest()
		for _, algorithm := range []string{"SHA-256", "MD5"} {
			prove := func(change func(*digest.Challenge, *digest.Options)) *digest.Credentials {
				t.Helper()
				asked := asks.Challenge(t, algorithm)
				o := digest.Options{Method: "INVITE", URI: ourNumber, Count: 1, Username: "trunk", Password: "s3cret"}
				if change != nil {
					change(asked, &o)
				}
				proof, err := digest.Digest(asked, o)
				if err != nil {
					t.Fatal(err)
				}
				return proof
			}
			check := func(what string, proof *digest.Credentials, want string) {
				t.Helper()
				if got := asks.Check(askedInvite(t, proof), algorithm); got != want {
					t.Errorf("%s, %s: %s, want %s", algorithm, what, got, want)
				}
			}
			check("no credentials", nil, "wrong")
			first := prove(nil)
			check("the first use", first, "right")
			check("the same again", first, "stale")
			check("a later use", prove(func(c *digest.Challenge, o *digest.Options) { c.Nonce, o.Count = first.Nonce, 2 }), "right")
			check("an earlier use", first, "stale")
			once := prove(func(c *digest.Challenge, o *digest.Options) { c.QOP, o.Count = nil, 0 })
			check("without qop", once, "right")
			check("without qop again", once, "stale")
			for what, change := range map[string]func(*digest.Challenge, *digest.Options){
				"password": func(_ *digest.Challenge, o *digest.Options) { o.Password = "s3cret2" },
				"user":     func(_ *digest.Challenge, o *digest.Options) { o.Username = "other" },
				"realm":    func(c *digest.Challenge, _ *digest.Options) { c.Realm = "other" },
				"method":   func(_ *digest.Challenge, o *digest.Options) { o.Method = "BYE" },
				"server": func(_ *digest.Challenge, o *digest.Options) {
					o.URI = strings.Replace(ourNumber, "192.0.2.1", "192.0.2.2", 1)
				},
				"algorithm": func(c *digest.Challenge, _ *digest.Options) { c.Algorithm = "SHA-512" },
			} {
				check("another "+what, prove(change), "wrong")
			}
			check("a nonce of nobody", prove(func(c *digest.Challenge, _ *digest.Options) { c.Nonce = "6929.x.y" }), "stale")
			forged := prove(nil)
			forged.Response = strings.Repeat("0", len(forged.Response))
			check("a forged response", forged, "wrong")
			old := prove(nil)
			time.Sleep(2 * time.Minute)
			check("an old nonce", old, "stale")
			check("another one's nonce", func() *digest.Credentials {
				foreign := sip.NewCallerDigest().Challenge(t, algorithm)
				return prove(func(c *digest.Challenge, _ *digest.Options) { c.Nonce = foreign.Nonce })
			}(), "stale")
		}
		for range 5000 {
			asked := asks.Challenge(t, "MD5")
			proof, err := digest.Digest(asked, digest.Options{Method: "INVITE", URI: ourNumber, Count: 1, Username: "trunk", Password: "s3cret"})
			if err != nil {
				t.Fatal(err)
			}
			asks.Check(askedInvite(t, proof), "MD5")
		}
		if n := asks.Nonces(); n > 4096 {
			t.Errorf("%d nonces are kept", n)
		}
	})
}

// FuzzCallerDigest checks that no credentials of strangers crash the check, or prove the account.
func FuzzCallerDigest(f *testing.F) {
	f.Add(`Digest username="trunk", realm="munadi", nonce="1.2.3", uri="` + ourNumber + `", response="0", qop=auth, nc=00000001, cnonce="a"`)
	f.Add(`Digest username="trunk", realm="munadi", nonce=, uri="sip:@", nc=ffffffff, algorithm=SHA-256`)
	f.Add("Basic x")
	f.Fuzz(func(t *testing.T, header string) {
		req := askedInvite(t, nil)
		req.AppendHeader(sipmessage.NewHeader("Authorization", header))
		if got := sip.NewCallerDigest().Check(req, "MD5"); got == "right" {
			t.Errorf("%q proves the account", header)
		}
	})
}

// TestInboundDigest calls in with SIPp over a trunk that must prove its account: without credentials and with a wrong
// password it is challenged, with the right one it is answered. The log and the ladder hold no credentials.
func TestInboundDigest(t *testing.T) {
	t.Parallel()
	const right, wrong = "s3cret", "an0ther"
	for password, takes := range map[string]bool{right: true, wrong: false} {
		t.Run(password, func(t *testing.T) {
			t.Parallel()
			ended, traces := make(chan error, 1), make(chan *call.LineTrace, 1)
			var log sipptest.LockedText
			trunk := newCallingTrunk(t, func(in carrier.IncomingCall) {
				if !takes {
					t.Error("a call without the password was taken")
				}
				if line := answerIncoming(t, in); line != nil {
					ended <- hearSound(t, line, true)
				}
				traces <- in.(carrier.TracedCall).Trace().FinishTrace(t.Context())
			}, func(o *sip.TrunkOptions) {
				o.Challenge, o.User, o.Password, o.Log = "MD5", "trunk", right, slog.New(slog.NewTextHandler(&log, nil))
			})
			steps := []scenarioStep{inviteUs(soundBody(mediaHere)...), challenged(), provenInvite(password)}
			if takes {
				trunk.play(t, append(steps, ofSecondInvite(answered()), plays, weHangUp)...)
				if err := <-ended; !errors.Is(err, carrier.ErrHungUp) && !errors.Is(err, io.EOF) {
					t.Errorf("the line ended by %v", err)
				}
				checkChallengedLadder(t, <-traces)
			} else {
				trunk.play(t, append(steps, ofSecondInvite(refusedWith("401")))...)
			}
			if said := log.String(); strings.Contains(said, right) || strings.Contains(said, wrong) || strings.Contains(said, "wrong") == takes {
				t.Errorf("the log says %s", said)
			}
		})
	}
}

// checkChallengedLadder checks that the ladder of a call begins with the INVITE that was challenged, and has each once.
func checkChallengedLadder(t *testing.T, got *call.LineTrace) {
	t.Helper()
	var begin []string
	for _, m := range got.Messages[:min(4, len(got.Messages))] {
		method, _, _ := strings.Cut(strings.TrimPrefix(m.Line, "SIP/2.0 "), " ")
		begin = append(begin, method)
	}
	if want := []string{"INVITE", "401", "ACK", "INVITE"}; !slices.Equal(begin, want) {
		t.Errorf("its ladder begins with %q, want %q", begin, want)
	}
	for _, m := range got.Messages {
		if m.Repeats > 0 {
			t.Errorf("%s is there %d times more", m.Line, m.Repeats)
		}
	}
	checkNoSecrets(t, got)
}

// challenged expects a challenge, and acknowledges it.
func challenged() scenarioStep {
	return scenarioStep(strings.Replace(string(refusedWith("401")), `<recv response="401"/>`, `<recv response="401" auth="true"/>`, 1))
}

// provenInvite is the INVITE with credentials.
func provenInvite(password string) scenarioStep {
	again := trunkRequest(2, "INVITE", "sip:966112345678@[remote_ip]:[remote_port]", "",
		append([]string{"[authentication username=trunk password=" + password + "]"}, soundBody(mediaHere)...)...)
	return again
}

// ofSecondInvite acknowledges the second INVITE instead of the first.
func ofSecondInvite(s scenarioStep) scenarioStep {
	return scenarioStep(strings.ReplaceAll(string(s), "CSeq: 1 ACK", "CSeq: 2 ACK"))
}

// Package sip_test holds the carrier against strangers: SIPp plays the other side of a trunk by scenarios, baresip is a
// telephone with TLS and SRTP, Linphone one with keys and hold, rtpengine relays audio beside Kamailio, dnsmasq is a name
// server. They come from Debian (sip-tester, baresip-core, linphone-cli, rtpengine-daemon, kamailio,
// dnsmasq-base); tests of one that is missing are skipped with a message, and fail under CI=true.
//
// What SIPp counts as failed fails the test, and so does a call that it still has when the test is over: a BYE, ACK or
// CANCEL that we owe can't be forgotten anywhere. What a scenario can't say is read from SIPp's log of messages.
package sip_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"testing"
	"time"

	transaction "github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
)

const (
	user     = "966500000099"
	password = "pass word"
)

// atOnce is the number of parallel tests, which mostly wait for the peer, so that the number of cores does not matter.
const atOnce = "8"

func TestMain(m *testing.M) {
	flag.Parse()
	// On a machine that stalls, a request would be retransmitted before SIPp could answer it, which SIPp does not
	// expect everywhere. RFC 3261's T1, T2 and T4 are 500 ms, 4 s and 5 s.
	transaction.SetTimers(8*time.Second, 16*time.Second, 20*time.Second)
	if err := flag.Set("test.parallel", atOnce); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// anyNumber is one that numbers.xml knows by its ending; scenarios of one call take any.
func anyNumber(ending string) string { return "+9665000000" + ending }

// openCarrier opens the carrier on a trunk until the test ends. A server has a minute for its first response, since the
// machine may be busy.
func openCarrier(t *testing.T, trunk string, changes ...func(*sip.TrunkOptions)) *sip.Carrier {
	t.Helper()
	o := sip.TrunkOptions{
		Trunk: trunk, User: user, Password: password, Listen: netip.MustParseAddrPort("127.0.0.1:0"),
		Ports: media.PortRange{First: 20000, Last: 29999}, Codecs: []sdp.Codec{sdp.PCMA, sdp.PCMU}, Plus: "+",
		UserAgent: "Munadi/test", Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	for _, change := range changes {
		change(&o)
	}
	c, err := sip.NewCarrier(o)
	if err != nil {
		t.Fatal(err)
	}
	c.AwaitFirstAnswer(patience)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return c
}

// runCarrier runs the carrier until the test ends.
func runCarrier(t *testing.T, c *sip.Carrier) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

// newDialRequest returns a dial request.
func newDialRequest(ending string) carrier.DialRequest {
	return carrier.DialRequest{CallID: "call_" + ending, Number: anyNumber(ending), Ring: patience, Attempt: 1}
}

// dialLine calls a number that answers; the line is hung up at the end of the test.
func dialLine(t *testing.T, c *sip.Carrier) carrier.Line {
	t.Helper()
	line, err := c.Dial(t.Context(), newDialRequest("01"))
	if err != nil {
		t.Fatalf("Dial: %v", err)
	}
	t.Cleanup(line.Hangup)
	return line
}

// dialRefused calls a number that does not answer.
func dialRefused(t *testing.T, c *sip.Carrier) *carrier.DialError {
	t.Helper()
	line, err := c.Dial(t.Context(), newDialRequest("01"))
	if err == nil {
		line.Hangup()
		t.Fatal("it was answered")
	}
	var refusal *carrier.DialError
	if !errors.As(err, &refusal) {
		t.Fatalf("Dial = %v, want a Refusal", err)
	}
	return refusal
}

// awaitLineEnd reads frames until the line ends, and returns the reason.
func awaitLineEnd(t *testing.T, line carrier.Line) error {
	t.Helper()
	for {
		if _, err := line.Next(t.Context()); err != nil {
			return err
		}
	}
}

// wantCode compares a status code that may be missing; 0 means none.
func wantCode(t *testing.T, what string, got *int, want int) {
	t.Helper()
	n := 0
	if got != nil {
		n = *got
	}
	if n != want {
		t.Errorf("%s is %d, want %d", what, n, want)
	}
}

package sip_test

import (
	"os"
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/carriertest"
	"munadi/appliance/carrier/sip"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	scenario := fromFile(t, "testdata/numbers.xml")
	presses := anyNumber("86")
	if os.Geteuid() != 0 {
		presses = anyNumber("87") // SIPp sends recorded packets by a raw socket
	}
	carriertest.RunSuite(t, carriertest.TestSetup{
		Numbers: carriertest.TestNumbers{
			Talks: anyNumber("01"), Leaves: anyNumber("10"), Presses: presses, RingsOut: anyNumber("90"), Declines: anyNumber("91"),
			Unavailable: anyNumber("92"), Busy: anyNumber("96"), Broken: anyNumber("94"),
		},
		New: func(t *testing.T) carrier.Carrier {
			t.Parallel()
			c := openCarrier(t, startSIPp(t, scenario).TrunkAddress())
			c.AwaitFirstAnswer(2 * sip.UsualFirstAnswer) // one number is silent
			return c
		},
	})
}

func fromFile(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestConformance runs the conformance suite of carriers on the SIP carrier.
var _ carrier.Carrier = (*sip.Carrier)(nil)

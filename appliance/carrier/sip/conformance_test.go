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
	presses := number("86")
	if os.Geteuid() != 0 {
		presses = number("87") // SIPp sends recorded packets by a raw socket
	}
	carriertest.RunSuite(t, carriertest.TestSetup{
		Numbers: carriertest.TestNumbers{
			Talks: number("01"), Leaves: number("10"), Presses: presses, RingsOut: number("90"), Declines: number("91"),
			Unavailable: number("92"), Busy: number("96"), Broken: number("94"),
		},
		New: func(t *testing.T) carrier.Carrier {
			t.Parallel()
			c := calls(t, sipp(t, scenario).TrunkAddress())
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

// The carrier is one.
var _ carrier.Carrier = (*sip.Carrier)(nil)

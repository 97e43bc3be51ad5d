package sip_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"

	"munadi/appliance/carrier/sip"
)

// TestFaultsHaveNoNumbers checks that transport errors, which quote the request, are reported without it.
func TestFaultsHaveNoNumbers(t *testing.T) {
	t.Parallel()
	for _, cause := range []error{
		&net.OpError{Op: "write", Net: "udp", Err: syscall.EHOSTUNREACH},
		&net.DNSError{Err: "no such host", Name: "sip.example.com"},
		context.DeadlineExceeded, context.Canceled,
	} {
		err := sip.FaultOf(fmt.Errorf("fail to write request on init req=%q: %w", "INVITE sip:+966500000001@x SIP/2.0", cause))
		if strings.Contains(err.Error(), "966") || !errors.Is(err, cause) {
			t.Errorf("%v is told as %v", cause, err)
		}
	}
	if err := sip.FaultOf(errors.New("INVITE sip:+966500000001@x")); strings.Contains(err.Error(), "966") {
		t.Errorf("an unknown fault is told as %v", err)
	}
}

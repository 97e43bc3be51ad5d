package sip_test

import (
	"context"
	"errors"
	"net"
	"testing"

	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
)

// TestTrunkDownAndUp checks that a trunk that answers neither a call nor OPTIONS gets no calls until it answers
// again.
func TestTrunkDownAndUp(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	trunk := newElsewhere(t)
	c := openCarrier(t, "sip:"+trunk.socket.LocalAddr().String())
	c.AwaitFirstAnswer(sip.UsualFirstAnswer)
	runCarrier(t, c)
	wait := func(what string, ask func() bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if err := sipptest.PollUntil(ctx, nil, ask); err != nil {
			t.Fatalf("it is never %s: %d lines, %+v", what, c.Lines(), c.Status())
		}
	}
	if n := c.Lines(); n == 0 {
		t.Error("no lines before anything is known")
	}
	if s := c.Status(); !s.Up || !s.Unheard {
		t.Errorf("before anything is known it is %+v", s)
	}
	if r := dialRefused(t, c); r.Err == nil || r.SIPCode != nil {
		t.Errorf("%+v", r)
	}
	wait("down", func() bool { return c.Lines() == 0 && !c.Status().Up && c.Status().Err != nil })
	go func() {
		for {
			if _, err := trunk.nextMessage("OPTIONS"); err != nil {
				return // the test is over
			}
		}
	}()
	wait("up", func() bool { return c.Lines() > 0 && c.Status().Up && c.Status().Err == nil && !c.Status().Unheard })
}

// TestTrunkWithoutAddress: a trunk whose name has no address says so, though whether it takes calls is not known.
func TestTrunkWithoutAddress(t *testing.T) {
	t.Parallel()
	c := openCarrier(t, "sip:trunk.invalid")
	runCarrier(t, c)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	named := func() bool {
		_, is := errors.AsType[*net.DNSError](c.Status().Err)
		return is && c.Status().Unheard
	}
	if err := sipptest.PollUntil(ctx, nil, named); err != nil {
		t.Errorf("it is %+v", c.Status())
	}
}

package sip_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/carrier/sip"
)

func TestPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const spacing = 50 * time.Millisecond
		p := sip.NewPace(spacing)
		began := time.Now()
		for i := range 4 {
			if err := p.Wait(t.Context()); err != nil || time.Since(began) != time.Duration(i)*spacing {
				t.Errorf("turn %d after %v: %v", i, time.Since(began), err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := p.Wait(ctx); err == nil {
			t.Error("a call that was given up begins")
		}
		time.Sleep(time.Minute)
		rested := time.Now()
		if err := p.Wait(t.Context()); err != nil || time.Since(rested) != 0 {
			t.Errorf("after a rest the first waits %v: %v", time.Since(rested), err)
		}
	})
}

package simulator

import (
	"errors"
	"io"
	"testing"

	"munadi/appliance/carrier"
)

// TestCallers checks the simulated people who call in: they wait to be spoken to, hang up before the answer, or hear a
// refusal.
func TestCallers(t *testing.T) {
	t.Parallel()
	bundle, _ := shipped()
	s, err := NewSimulator(SimulatorOptions{Bundle: bundle, TimeScale: 1000})
	if err != nil {
		t.Fatal(err)
	}
	c := s.NewCaller("+966500000093", "+966112345678") // a voicemail does not call
	if c.Caller() != "+966500000093" || len(c.Called()) != 1 || c.Called()[0] != "+966112345678" {
		t.Errorf("%s calls %v", c.Caller(), c.Called())
	}
	c.Ring()
	if why, err := c.Heard(t.Context()); why != 0 || err != nil {
		t.Errorf("heard %d, %v", why, err)
	}
	line, err := c.Answer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.Refuse(carrier.RefuseBusy) // too late
	for range 200 {
		f, err := line.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range f.In {
			if v > 3000 || v < -3000 {
				t.Fatalf("the caller speaks first, at %v", f.At)
			}
		}
	}
	line.Hangup()
	if _, err := line.Next(t.Context()); !errors.Is(err, carrier.ErrHungUp) || errors.Is(err, io.EOF) {
		t.Errorf("after our hang-up: %v", err)
	}
	if _, err := s.NewCaller("+966500000090", "+966112345678").Answer(t.Context()); !errors.Is(err, carrier.ErrCallerGone) {
		t.Errorf("one without patience: %v", err)
	}
	refused := s.NewCaller("", "+966112345678")
	refused.Refuse(carrier.RefuseUnrouted)
	if _, err := refused.Answer(t.Context()); err == nil {
		t.Error("a refused call is answered")
	}
	if why, err := refused.Heard(t.Context()); why != carrier.RefuseUnrouted || err != nil {
		t.Errorf("heard %d, %v", why, err)
	}
}

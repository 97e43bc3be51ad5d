package media_test

import (
	"errors"
	"strings"
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
)

// TestBreakdown checks that a panic in one call's audio ends only that call, with a log line.
func TestBreakdown(t *testing.T) {
	t.Parallel()
	s := media.NewSocketless()
	s.RunAside(func() { var none []int; none[3]++ })
	_, err := s.Next(t.Context())
	var refused *carrier.DialError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "panic in the media session") {
		t.Errorf("Next = %v", err)
	}
	s.End(carrier.ErrHungUp)
}

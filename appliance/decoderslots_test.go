package appliance

import (
	"testing"

	"munadi/engine"
)

// One organization's decoder processes, however many it starts, leave places for another's.
func TestDecoderSlotsLeaveRoomForOtherOrganizations(t *testing.T) {
	t.Parallel()
	s := decoderSlots{all: make(chan struct{}, childrenOfAll)}
	full := func(org string) bool {
		for _, slots := range s.slotsOf(engine.WithClient(t.Context(), engine.ClientID{Organization: org})) {
			select {
			case slots <- struct{}{}:
			default:
				return true
			}
		}
		return false
	}
	taken := 0
	for !full("many") {
		taken++
	}
	if taken != children || full("other") {
		t.Errorf("%d places taken by one organization, want %d, and room for another", taken, children)
	}
}

package sip_test

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/carrier/sip"
)

// TestTrunkStaysKnown checks that an address that we write to repeatedly stays known while the list is full: the rate
// limit for unknown addresses would drop the trunk's answers.
func TestTrunkStaysKnown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var filter sip.StrangerFilter
		trunk, other := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("198.18.0.0")
		filter.AddKnown(trunk)
		<-time.After(30 * time.Minute)
		for range sip.MostKnown {
			other = other.Next()
			filter.AddKnown(other)
		}
		filter.AddKnown(trunk)
		<-time.After(45 * time.Minute)
		filter.AddKnown(other.Next())
		if !filter.IsKnown(trunk) {
			t.Error("the trunk was forgotten 45 minutes after our last message to it")
		}
	})
}

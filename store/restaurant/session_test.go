package restaurant_test

import (
	"strings"
	"testing"
	"time"

	"munadi/store/restaurant"
)

func TestSessionIdlesAway(t *testing.T) {
	t.Parallel()
	touched := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	session := restaurant.RestaurantSession{Mode: restaurant.Restaurant, TouchedAt: touched}
	for after, want := range map[time.Duration]restaurant.SessionMode{
		-time.Minute:                      restaurant.Restaurant, // a clock set back ends nothing
		0:                                 restaurant.Restaurant,
		restaurant.Idle - time.Nanosecond: restaurant.Restaurant,
		restaurant.Idle:                   restaurant.Default,
		24 * time.Hour:                    restaurant.Default,
	} {
		if got := session.StateAt(touched.Add(after)).Mode; got != want {
			t.Errorf("%v after the last request: mode %q, want %q", after, got, want)
		}
	}
	if got := (restaurant.RestaurantSession{}).StateAt(touched).Mode; got != restaurant.Default {
		t.Errorf("a session never seen is in mode %q", got)
	}
}

func TestValidSessionID(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"a": true, "Table-7:room_2.x": true, strings.Repeat("z", 128): true,
		"": false, strings.Repeat("z", 129): false, "a/b": false, "a b": false, "طاولة": false,
		"a\n": false, "a\x00": false,
	} {
		if got := restaurant.ValidSessionID(id); got != want {
			t.Errorf("ValidSessionID(%q) = %v", id, got)
		}
	}
}

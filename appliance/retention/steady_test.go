package retention

import (
	"testing"
	"time"
)

// TestClockThatJumps checks that nothing expires by a clock that was just set, until it has been right for a day.
func TestClockThatJumps(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var s clockGuard
	for _, c := range []struct {
		what string
		wall time.Time
		up   time.Duration
		want bool
	}{
		{"the first look", noon, 5 * time.Hour, true},
		{"an hour later", noon.Add(time.Hour), 6 * time.Hour, true},
		{"corrected by minutes", noon.Add(2*time.Hour + 10*time.Minute), 7 * time.Hour, true},
		{"ten years ahead", noon.AddDate(10, 0, 0), 8 * time.Hour, false},
		{"still ahead", noon.AddDate(10, 0, 0).Add(time.Hour), 9 * time.Hour, false},
		{"set right", noon.Add(5 * time.Hour), 10 * time.Hour, false},
		{"right for most of a day", noon.Add(28 * time.Hour), 33 * time.Hour, false},
		{"right for a day", noon.Add(29*time.Hour + time.Minute), 34*time.Hour + time.Minute, true},
		{"set back by a week", noon.Add(-6 * day), 35 * time.Hour, false},
	} {
		if got := s.trustsClock(c.wall, c.up); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
	if a, b := machineUptime(), machineUptime(); a <= 0 || b < a {
		t.Errorf("up for %v, then %v", a, b)
	}
}

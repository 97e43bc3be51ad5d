package dashboard

import (
	"testing"
	"time"

	"munadi/appliance/console/kit"
	"munadi/store/call"
)

// TestEstimateEnd checks that many calls that are due at one time take as long as the lines need from then on, and that
// calls spread over the day end soon after the last one is due.
func TestEstimateEnd(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 7, 10, 0, 0, time.UTC)
	at := func(hour, minute int) time.Time { return time.Date(2026, 11, 23, hour, minute, 0, 0, time.UTC) }
	waiting := func(at time.Time, n int) call.CallTally {
		return call.CallTally{At: at, Counts: map[call.CallStatus]int{call.Scheduled: n}}
	}
	for name, c := range map[string]struct {
		tallies []call.CallTally
		overdue int
		lastDue time.Time
		want    time.Time
	}{
		"due now":         {[]call.CallTally{waiting(at(7, 0), 480)}, 0, at(7, 5), at(8, 10)},
		"all at one time": {[]call.CallTally{waiting(at(10, 0), 480)}, 0, at(10, 3), at(11, 0)},
		"one after other": {[]call.CallTally{waiting(at(12, 0), 480), waiting(at(10, 0), 960)}, 0, at(12, 3), at(13, 0)},
		"piled up":        {[]call.CallTally{waiting(at(10, 0), 960), waiting(at(11, 0), 480)}, 0, at(11, 3), at(13, 0)},
		"one late":        {[]call.CallTally{waiting(at(20, 0), 1)}, 0, at(20, 14), at(20, 14)},
		"of yesterday":    {[]call.CallTally{waiting(at(7, 15), 480)}, 480, at(7, 20), at(9, 10)},
	} {
		ended := now.Add(time.Minute)
		d := dashboardData{
			now: now, tallies: c.tallies, overdue: c.overdue, lastDue: c.lastDue, vitals: kit.ApplianceVitals{Lines: 8},
			last: []call.Call{{ReleasedAt: &now, EndedAt: &ended}},
		}
		if got := d.estimateEnd(); !got.Equal(c.want) {
			t.Errorf("%s: done at %s, want %s", name, got.Format("15:04"), c.want.Format("15:04"))
		}
	}
}

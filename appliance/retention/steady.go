package retention

import (
	"time"

	"golang.org/x/sys/unix"
)

const (
	jump  = time.Hour // by which a clock that is kept right is never set
	doubt = day       // for which one that was is not believed
)

// clockGuard believes a clock only while it goes along with the time since the machine was started: what a clock that ran
// ahead had removed would not come back with the right time.
type clockGuard struct {
	wall    time.Time
	up      time.Duration
	seen    bool
	jumped  bool
	doubted time.Duration // when it jumped last
}

// trustsClock says whether the wall clock may decide what is too old; up is the time since the machine's start.
func (s *clockGuard) trustsClock(wall time.Time, up time.Duration) bool {
	if s.seen {
		drift := wall.Round(0).Sub(s.wall.Round(0)) - (up - s.up)
		if drift.Abs() > jump {
			s.jumped, s.doubted = true, up
		}
	}
	s.wall, s.up, s.seen = wall, up, true
	return !s.jumped || up-s.doubted >= doubt
}

// machineUptime is the time since the machine's start, sleep included: nobody sets that clock.
func machineUptime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
		return 0 // then the wall clock alone counts, as a jump that is never seen
	}
	return time.Duration(now.Nano())
}

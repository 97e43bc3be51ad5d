package retention

import (
	"time"

	"golang.org/x/sys/unix"
)

const (
	jump  = time.Hour // a clock that is kept by NTP never jumps by that much
	doubt = day       // how long the clock is not trusted after a jump
)

// clockGuard trusts the wall clock only while it agrees with the time since boot: data that was deleted because the
// clock ran ahead could not be brought back.
type clockGuard struct {
	wall    time.Time
	up      time.Duration
	seen    bool
	jumped  bool
	doubted time.Duration // uptime at the last jump
}

// trustsClock reports whether the wall clock is trusted for expiry; up is the machine's uptime.
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

// machineUptime returns the time since boot, suspend included (CLOCK_BOOTTIME), which cannot be set.
func machineUptime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
		return 0 // then every jump of the wall clock is noticed
	}
	return time.Duration(now.Nano())
}

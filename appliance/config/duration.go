package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Duration is a length of time; it is parsed and printed like "90s", "1h30m" or "7d".
type Duration time.Duration

// day is the unit "d".
const day = 24 * time.Hour

// UnmarshalText parses whole days, if any, followed by a duration as in time.ParseDuration.
func (d *Duration) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	bad := fmt.Errorf("%q is not a duration (such as 90s, 1h30m or 7d)", text)
	var total time.Duration
	if days, rest, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 32)
		if err != nil || n > uint64(math.MaxInt64/day) {
			return bad
		}
		total, s = time.Duration(n)*day, rest
	}
	if s != "" || total == 0 {
		rest, err := time.ParseDuration(s)
		if err != nil || rest < 0 || total > math.MaxInt64-rest {
			return bad
		}
		total += rest
	}
	*d = Duration(total)
	return nil
}

// String returns the shortest form that parses to the same value.
func (d Duration) String() string {
	var b strings.Builder
	if days := time.Duration(d) / day; days > 0 {
		fmt.Fprintf(&b, "%dd", days)
		d -= Duration(days * day)
	}
	if d == 0 && b.Len() > 0 {
		return b.String()
	}
	s := time.Duration(d).String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return b.String() + s
}

// MarshalText returns String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

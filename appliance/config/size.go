package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ByteSize is a number of bytes; it is parsed and printed like "100MiB", "2 GB" or "4096".
type ByteSize int64

// sizeUnit is a unit of sizes.
type sizeUnit struct {
	name  string
	bytes int64
}

// sizeUnits returns the units from large to small, so that the first that divides a size prints it; "B", which ends
// every name, is last.
func sizeUnits() []sizeUnit {
	return []sizeUnit{
		{"TiB", 1 << 40},
		{"TB", 1e12},
		{"GiB", 1 << 30},
		{"GB", 1e9},
		{"MiB", 1 << 20},
		{"MB", 1e6},
		{"KiB", 1 << 10},
		{"kB", 1e3},
		{"B", 1},
	}
}

// UnmarshalText parses a whole number and a unit in any case, bytes without one.
func (s *ByteSize) UnmarshalText(text []byte) error {
	number, bytes := strings.TrimSpace(string(text)), int64(1)
	for _, u := range sizeUnits() {
		if n := len(number) - len(u.name); n >= 0 && strings.EqualFold(number[n:], u.name) {
			number, bytes = strings.TrimSpace(number[:n]), u.bytes
			break
		}
	}
	n, err := strconv.ParseUint(number, 10, 63)
	if err != nil || int64(n) > math.MaxInt64/bytes {
		return fmt.Errorf("%q is not a size (such as 100MiB, 2GB or 4096)", text)
	}
	*s = ByteSize(int64(n) * bytes)
	return nil
}

// String returns the size in the largest unit that divides it.
func (s ByteSize) String() string {
	for _, u := range sizeUnits() {
		if s != 0 && int64(s)%u.bytes == 0 && u.bytes > 1 {
			return strconv.FormatInt(int64(s)/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

// MarshalText returns String.
func (s ByteSize) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

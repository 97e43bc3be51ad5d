package stt_test

import (
	"testing"
	"time"

	"munadi/appliance/stt"
)

func TestLimitsAreNamedInRoundUnits(t *testing.T) {
	t.Parallel()
	for bytes, want := range map[int64]string{100 << 20: "100 MiB", 1536 << 10: "1536 KiB", 1001: "1001 bytes"} {
		if got := stt.Size(bytes); got != want {
			t.Errorf("%d bytes are %s, want %s", bytes, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		4 * time.Hour: "4 hours", 90 * time.Minute: "90 minutes", 2500 * time.Millisecond: "2.5 seconds",
	} {
		if got := stt.Length(d); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
	}
}

package outagelog_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"munadi/appliance/monitor/outagelog"
	"munadi/store"
)

// TestOutage checks that twenty workers that fail each second for five minutes log a few lines, that all other errors
// are logged, and that the next outage is logged at once.
func TestOutage(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	now := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	log := slog.New(outagelog.NewHandler(slog.NewTextHandler(&out, nil), func() time.Time { return now }))
	away := fmt.Errorf("claim: %w", store.Errorf(store.CodeUnavailable, "the database does not answer"))
	outage := func() int {
		before := strings.Count(out.String(), "does not answer")
		for range 300 {
			for worker := range 20 {
				log.With("worker", worker).Error("a worker failed and is restarted", "err", away)
			}
			log.Error("another fault", "err", errors.New("broken"))
			log.Info("nothing wrong", "err", away)
			now = now.Add(time.Second)
		}
		return strings.Count(out.String(), "does not answer") - before - 300
	}
	for range 2 {
		if n := outage(); n < 5 || n > 12 {
			t.Errorf("an outage of five minutes leaves %d lines, want about nine", n)
		}
		now = now.Add(time.Hour)
	}
	if n := strings.Count(out.String(), "another fault"); n != 600 {
		t.Errorf("%d of 600 lines of other faults are left", n)
	}
	if !strings.Contains(out.String(), "lines_left_out=") {
		t.Error("the lines that were left out are not counted")
	}
}

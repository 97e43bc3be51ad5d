package alerting_test

import (
	"testing"
	"time"

	"munadi/appliance/alerting"
)

// TestLateReplies checks the share and the bounds at which replies count as late and as timely again, that few tell
// nothing, and that old ones are forgotten.
func TestLateReplies(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		late, timely int
		gap          time.Duration // of the late ones
		want         alerting.ConditionState
	}{
		"few":               {19, 0, 3 * time.Second, alerting.Unknown},
		"one in twenty":     {5, 95, 3 * time.Second, alerting.Over},
		"more":              {6, 94, 3 * time.Second, alerting.Holds},
		"at the limit":      {100, 0, 1500 * time.Millisecond, alerting.Unknown},
		"above the limit":   {100, 0, 1501 * time.Millisecond, alerting.Holds},
		"timely once again": {100, 0, 1200 * time.Millisecond, alerting.Over},
		"many":              {6000, 0, 2 * time.Second, alerting.Holds},
	} {
		var w alerting.ReplyWatch
		for range c.late {
			w.CountReply(c.gap, now)
		}
		for range c.timely {
			w.CountReply(400*time.Millisecond, now)
		}
		if got := w.JudgeReplies(now.Add(time.Minute)); got.State != c.want || (got.State == alerting.Holds) != (got.Facts["wait"] != "") {
			t.Errorf("%s: %+v", name, got)
		}
		if got := w.JudgeReplies(now.Add(11 * time.Minute)); got.State != alerting.Unknown {
			t.Errorf("%s: after eleven minutes %+v", name, got)
		}
	}
}

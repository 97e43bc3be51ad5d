package console_test

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
	"time"

	"munadi/store/account"
	"munadi/store/call"
)

// TestReports checks the counts by period, hour and scenario; a yes to the confirmation question counts as confirmed.
func TestReports(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	for i := range 12 {
		c := d.bookCall("acme", fmt.Sprintf("+9665123456%02d", i), func(c *call.Call) {
			c.ScenarioID, c.ScheduledAt = "appointment_confirmation", d.now.Add(time.Second)
		})
		outcome := call.CallOutcome{Status: call.Completed, Report: fmt.Appendf(nil, `{"confirmed":%v}`, i%3 == 0)}
		if i >= 8 {
			outcome = call.CallOutcome{Status: call.NoAnswer, Failure: &call.CallFailure{Reason: call.RingTimeout}}
		}
		d.endCall(c, outcome)
	}
	d.getPage(account.Viewer, "/reports").wantStatus(200).wantTexts("67%", "Best hour", "of its calls were reached", "By scenario")
	for _, by := range []string{"day", "week", "month"} {
		file := strings.TrimPrefix(d.getPage(account.Viewer, "/reports.csv?by="+by).wantStatus(200).Body.String(), "\uFEFF")
		rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		want := "12 8 67% 3 4 0 0 0"
		periods := map[string]int{"day": 14, "week": 8, "month": 6}[by]
		if len(rows) != 1+periods+1 || strings.Join(rows[periods][1:], " ") != want || strings.Join(rows[periods+1][1:], " ") != want {
			t.Errorf("by %s: %q", by, rows)
		}
	}
	d.getPage(account.Viewer, "/reports?scenario=restaurant_order").wantStatus(200).wantNoTexts("67%", "By scenario")
	d.getPage(account.Viewer, "/reports?by=eternity&from=x&to=0001-01-01&scenario=nothing").wantStatus(200)
	d.getPage(account.Viewer, "/reports?by=day&from=1970-01-01&to=9999-12-31").wantStatus(200)
}

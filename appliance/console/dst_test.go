package console_test

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"munadi/appliance/console"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/storetest"
)

// newCairoBench returns a bench whose organization is in Cairo, where 2026-04-24 has no 00:00: daylight saving begins
// then. now is the evening before.
func newCairoBench(t *testing.T) *callBench {
	t.Helper()
	now := time.Date(2026, 4, 23, 20, 0, 0, 0, time.UTC)
	d := newCallBench(t, func(deps *console.Dependencies) { deps.Now = func() time.Time { return now } })
	d.mustSucceed(storetest.ReplaceRules(t.Context(), d.store, "acme", callrules.CallRules{
		TimeZone: "Africa/Cairo", CallingHours: callrules.CallingHours{"friday": {{From: "09:00", To: "17:00"}}},
	}, "test", d.now))
	return d
}

// TestDayWithoutMidnight checks that a day that begins at 01:00 ends at midnight in the list of calls.
func TestDayWithoutMidnight(t *testing.T) {
	t.Parallel()
	d := newCairoBench(t)
	for number, at := range map[string]time.Time{
		"+966512345601": time.Date(2026, 4, 23, 21, 59, 0, 0, time.UTC), // Thursday 23:59
		"+966512345602": time.Date(2026, 4, 23, 22, 0, 0, 0, time.UTC),  // Friday 01:00
		"+966512345603": time.Date(2026, 4, 24, 20, 59, 0, 0, time.UTC), // Friday 23:59
		"+966512345604": time.Date(2026, 4, 24, 21, 0, 0, 0, time.UTC),  // Saturday 00:00
	} {
		d.bookCall("acme", number, func(c *call.Call) { c.ScheduledAt = at })
	}
	d.getPage(account.Viewer, "/calls.csv?from=2026-04-24&to=2026-04-24").wantStatus(http.StatusOK).
		wantTexts("966512345602", "966512345603").wantNoTexts("966512345601", "966512345604")
}

// TestReportAcrossDaylightSaving checks that every day of a report has its row after the day that begins at 01:00.
func TestReportAcrossDaylightSaving(t *testing.T) {
	t.Parallel()
	d := newCairoBench(t)
	for by, periods := range map[string]int{"day": 11, "week": 2, "month": 1} {
		query := url.Values{"by": {by}, "from": {"2026-04-20"}, "to": {"2026-04-30"}}
		file := d.getPage(account.Viewer, "/reports.csv?"+query.Encode()).wantStatus(http.StatusOK).Body.String()
		rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
		if err != nil || len(rows) != 1+periods {
			t.Errorf("by %s: %d rows, want %d periods: %q, %v", by, len(rows), periods, rows, err)
		}
	}
}

// TestOpenHoursOnTheDayOfTheChange checks that calling hours are shown as the clock on the wall shows them.
func TestOpenHoursOnTheDayOfTheChange(t *testing.T) {
	t.Parallel()
	d := newCairoBench(t)
	d.getPage(account.Operator, "/calls/new").wantStatus(http.StatusOK).wantTexts("09:00–17:00").wantNoTexts("08:00–16:00")
}

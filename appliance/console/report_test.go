package console_test

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
	"time"

	"munadi/store"
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
		outcome := call.CallOutcome{Status: call.Completed, Messages: saidAndAnswered(100 * (i + 1)), Report: fmt.Appendf(nil, `{"confirmed":%v}`, i%3 == 0)}
		if i >= 8 {
			outcome = call.CallOutcome{Status: call.NoAnswer, Failure: &call.CallFailure{Reason: call.RingTimeout}}
		}
		d.endCall(c, outcome)
	}
	for i := range 5 { // people who call are not called and reached
		came := call.NewInbound(call.Call{
			OrgID: "acme", PhoneNumber: anyNumber, ScenarioID: "appointment_confirmation", ShownNumber: "+966112000000",
		}, nil, d.now)
		came, err := d.store.ReceiveCall(t.Context(), came, store.Reception{}, d.now)
		d.mustSucceed(err)
		_, err = d.store.AnswerCall(t.Context(), "acme", came.ID, "", d.now)
		d.mustSucceed(err)
		outcome := call.CallOutcome{Status: call.Completed, Report: fmt.Appendf(nil, `{"confirmed":%v}`, i < 2)}
		_, err = d.store.FinishCall(t.Context(), "acme", came.ID, outcome, nil, d.now)
		d.mustSucceed(err)
	}
	d.getPage(account.Viewer, "/reports").wantStatus(200).wantNoTexts("By caller number").wantTexts("Wait for a reply", "0.50", "95% of the replies come within 0.80 s, in the newest 13 completed calls", "67%", "Best hour", "of its calls were reached", "By scenario")
	for _, by := range []string{"day", "week", "month"} {
		file := strings.TrimPrefix(d.getPage(account.Viewer, "/reports.csv?by="+by).wantStatus(200).Body.String(), "\uFEFF")
		rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		want := "12 8 67% 3 4 0 0 0 5 2"
		periods := map[string]int{"day": 14, "week": 8, "month": 6}[by]
		if len(rows) != 1+periods+1 || strings.Join(rows[periods][1:], " ") != want || strings.Join(rows[periods+1][1:], " ") != want {
			t.Errorf("by %s: %q", by, rows)
		}
	}
	d.getPage(account.Viewer, "").wantStatus(200).wantTexts("of 12 that ended; 5 called you", "of 8 answers; 2 who called you confirmed",
		"direction=outbound")
	d.getPage(account.Viewer, "/reports?scenario=restaurant_order").wantStatus(200).wantTexts("No replies in this period.").wantNoTexts("67%", "By scenario")
	d.getPage(account.Viewer, "/reports?by=eternity&from=x&to=0001-01-01&scenario=nothing").wantStatus(422)
	d.getPage(account.Viewer, "/reports?scenario=nothing").wantStatus(200)
	d.getPage(account.Viewer, "/reports?by=day&from=1970-01-01&to=9999-12-31").wantStatus(200).wantTexts("A report has at most 62 rows: it begins on 9999-10-31.")
}

// TestReportsCompareWithTheEarlierPeriod: the figures stand beside those of the period before, counted up to the same
// time of it.
func TestReportsCompareWithTheEarlierPeriod(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	today := d.now
	call := func(number int, at time.Time, confirmed bool) {
		t.Helper()
		d.now = at
		c := d.bookCall("acme", fmt.Sprintf("+9665123456%02d", number), func(c *call.Call) {
			c.ScenarioID, c.ScheduledAt = "appointment_confirmation", at.Add(time.Second)
		})
		d.endCall(c, call.CallOutcome{Status: call.Completed, Report: fmt.Appendf(nil, `{"confirmed":%v}`, confirmed)})
	}
	for i := range 4 { // an hour earlier, a week ago
		call(i, today.AddDate(0, 0, -7).Add(-time.Hour), i > 0)
	}
	for i := range 6 { // within the report
		call(10+i, today.Add(-time.Hour), true)
	}
	d.now = today
	day := func(days int) string { return today.AddDate(0, 0, days).Format(time.DateOnly) }
	path := "/reports?by=day&from=" + day(-6) + "&to=" + day(0)
	d.getPage(account.Viewer, path).wantStatus(200).wantTexts("before: 4 (100%)", "before: 3", day(-13), day(-7))
	call(5, today.AddDate(0, 0, -7).Add(2*time.Hour), true) // later in that day than it is now
	d.now = today
	d.getPage(account.Viewer, path).wantStatus(200).wantTexts("before: 4 (100%)").wantNoTexts("before: 5")
	d.getPage(account.Viewer, "/reports?by=day&from="+day(-7)+"&to="+day(-7)).wantStatus(200).wantNoTexts("before:")
	d.getPage(account.Viewer, "/reports?by=day&from="+day(-6)+"&to="+day(-1)).wantStatus(200).wantTexts("before: 5 (100%)", "before: 4")
}

// saidAndAnswered is a turn of the customer and the reply, which is heard after some milliseconds.
func saidAndAnswered(heard int) []call.Message {
	return []call.Message{
		{Role: call.User, Content: "نعم", Start: 1, End: 1.5, Confidence: 0.9},
		{
			Role: call.Assistant, Content: "شكرا", Start: 1.5 + float64(heard-40)/1000, End: 3, Confidence: 1,
			ReplyTiming: &call.ReplyTiming{Gap: heard - 40, Decided: heard - 60, Heard: heard},
		},
	}
}

// TestReplyIsTimedOnTheCallsPage checks that the turns of a call show how long the customer waited for the reply.
func TestReplyIsTimedOnTheCallsPage(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	c := d.bookCall("acme", "+966512345600", func(*call.Call) {})
	d.endCall(c, call.CallOutcome{Status: call.Completed, Messages: saidAndAnswered(440)})
	d.getPage(account.Viewer, "/calls/"+c.ID).wantStatus(200).wantTexts("reply after 0.44 s", "taken for over after 0.38 s, first sound sent after 0.40 s")
}

// TestHoursAreThoseOfDialling checks that calls that were booked for one hour and dialled in later ones count in the
// hours in which they were dialled, in the report and on the day's page; those that wait count in the hour they are
// booked for.
func TestHoursAreThoseOfDialling(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	booked := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for i := range 30 {
		c := d.bookCall("acme", fmt.Sprintf("+9665123456%02d", i), func(c *call.Call) { c.ScheduledAt = booked })
		if i >= 24 {
			continue // waits
		}
		dialled, status := booked.Add(2*time.Hour+50*time.Minute), call.NoAnswer // 11:50
		if i >= 12 {
			dialled, status = booked.Add(3*time.Hour), call.Completed
		}
		_, err := d.store.ReleaseCall(t.Context(), "acme", c.ID, dialled)
		d.mustSucceed(err)
		if status == call.Completed {
			_, err = d.store.AnswerCall(t.Context(), "acme", c.ID, "", dialled)
			d.mustSucceed(err)
		}
		_, err = d.store.FinishCall(t.Context(), "acme", c.ID, call.CallOutcome{Status: status}, nil, dialled)
		d.mustSucceed(err)
	}
	d.getPage(account.Viewer, "/reports").wantStatus(200).
		wantTexts("12:00 · Completed: 12", "11:00 · Not reached: 12", "100% of its calls").wantNoTexts("09:00 · ")
	d.getPage(account.Viewer, "").wantStatus(200).wantTexts("12:00 · Completed: 12", "11:00 · Not reached: 12", "09:00 · Scheduled: 6")
}

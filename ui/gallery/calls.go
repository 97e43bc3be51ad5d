package gallery

import (
	"time"

	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// callPages are the calls: the list, one call while it runs and afterwards, booking and campaigns.
func callPages(l text.Lang) []Exhibit {
	w := text.CallsIn(l)
	return []Exhibit{
		{"page-calls", page.CallsPage(calls(l))},
		{"page-calls-empty", page.CallsPage(page.Calls{
			ConsolePage: Frame(l, shell.Calls, w.Title), May: true, CSV: page.CallsPath + ".csv",
		})},
		{"page-call", page.CallPage(ended(l))},
		{"page-call-live", page.CallPage(running(l))},
		{"page-call-new", page.NewCallPage(newCall(l))},
		{"page-call-ask", page.AskPage(page.Ask{
			ConsolePage: Frame(l, shell.Calls, w.CancelTitle), Lead: w.CancelLead, Items: []string{"+966512345601"},
			Action: page.CallsPath + "/cancel", Fields: []page.Field{{Name: "id", Value: "call_1"}}, Do: w.CancelDo,
			Back: page.CallsPath, BackSay: w.Back,
		})},
		{"page-import", page.ImportPage(page.Import{
			ConsolePage: Frame(l, shell.Calls, w.ImportTitle), Fault: w.BadCSV,
		})},
		{"page-import-report", page.ImportPage(campaign(l))},
	}
}

func callRow(id, number, status string) page.CallRow {
	return page.CallRow{
		ID: "call_" + id, Number: number, Scenario: "تأكيد موعد", Status: status, At: clock(30), Attempt: 1, Max: 3,
		Cancellable: status == "scheduled",
	}
}

// clock is a moment of the fixtures' morning.
func clock(minute int) time.Time { return time.Date(2026, 11, 21, 9, minute, 0, 0, time.UTC) }

func calls(l text.Lang) page.Calls {
	w, length := text.CallsIn(l), 83
	done, refused := callRow("2", "+966512345602", "completed"), callRow("3", "", "user_rejected")
	done.Duration, refused.Reason = &length, "busy"
	return page.Calls{
		ConsolePage: Frame(l, shell.Calls, w.Title), May: true, CSV: page.CallsPath + ".csv",
		Statuses: []page.Choice{
			{Name: w.All, URL: page.CallsPath, Chosen: true},
			{Name: w.Statuses["scheduled"], Value: "scheduled", URL: page.CallsPath + "?status=scheduled"},
		},
		Scenarios: []page.Choice{{Value: "restaurant_order", Name: "طلب <من> مطعم"}},
		Rows:      []page.CallRow{callRow("1", "+966512345601", "scheduled"), done, refused},
		Older:     page.CallsPath + "?cursor=a&status=b", Newer: page.CallsPath,
	}
}

// ended is the record of a call that was retried.
func ended(l text.Lang) page.Call {
	length, began, over := 12, clock(31), clock(32)
	row := callRow("2", "+966512345602", "completed")
	row.Duration, row.Attempt = &length, 2
	before := callRow("1", "+966512345602", "no_answer")
	return page.Call{
		ConsolePage: Frame(l, shell.Calls, row.Number), CallRow: row, ScenarioID: "appointment_confirmation", ZoneName: "UTC",
		Booking: "retry_booked", Created: clock(20), Planned: clock(30), Began: &began, Ended: &over, Machine: "human", MachineCause: "phrase",
		Messages: []page.Message{
			{Start: 0.3, End: 2, Words: []page.Word{{Text: "السلام", Start: 0.3, End: 1}, {Text: "<عليكم>", Start: 1, End: 2}}},
			{Customer: true, Start: 2.5, End: 3, Words: []page.Word{{Text: "نعم", Start: 2.5, End: 3}}},
		},
		Line: &page.LineFacts{
			SIPCodes: "100, 180, 200", Codec: "PCMA", Encrypted: true, Sent: "600", Received: "598", Lost: "2", Late: "1",
			Ignored: "40", Foreign: true,
		},
		Troubles:   []page.Trouble{{Code: "no_input", Message: "Nothing was said.", At: 9}},
		Timeline:   []page.Happening{{At: clock(20), Event: text.CallIn(l).Events["booked"], Actor: "سارة", Note: "a & b"}},
		Slots:      []page.Slot{{Name: "confirmed", Value: "true"}, {Name: "new_date"}, {Name: "size", Value: "large"}},
		ReportJSON: "{\n  \"confirmed\": true\n}", Metadata: []page.Field{{Name: "order", Value: "7"}},
		Recording: "/console/calls/call_2/recording", Webhook: "failed", Delivery: "/console/webhook",
		Tries: []page.Try{{At: clock(33), Error: "refused"}, {At: clock(34), Status: 200, MS: 41}},
		Chain: []page.Link{{CallRow: before}, {CallRow: row, Here: true}}, MayErase: true,
	}
}

// running is a call while it runs.
func running(l text.Lang) page.Call {
	began := clock(31)
	row := callRow("5", "+966512345605", "in_progress")
	return page.Call{
		ConsolePage: Frame(l, shell.Calls, row.Number), CallRow: row, ScenarioID: "restaurant_order", ZoneName: "UTC",
		Booking: "immediate", Created: clock(30), Planned: clock(30), Began: &began, Running: true, Webhook: "none",
		MayHangUp: true, Listen: true, Timeline: []page.Happening{{At: clock(31), Event: text.CallIn(l).Events["answered"]}},
	}
}

func newCall(l text.Lang) page.NewCall {
	w := text.CallsIn(l)
	return page.NewCall{
		ConsolePage: Frame(l, shell.Calls, w.NewTitle), Scenario: "a", Number: "0512", Zone: "Asia/Riyadh", Tries: 3,
		Scenarios: []page.Choice{{Value: "a", Name: "تأكيد <موعد>", Chosen: true}}, Delays: "10, 30", Once: "once",
		Later: true, At: "2026-11-22T10:00", Earliest: "2026-11-21T09:30", Latest: "2026-12-21T09:30",
		Variables: []page.Variable{{Name: "name", Description: "اسم صاحب الموعد", Required: true}},
		Days: []page.Day{
			{Name: w.Weekdays[0], Date: "11-22", Open: []page.Span{{From: 540, To: 1020}}},
			{Name: w.Weekdays[1], Date: "11-23"},
			{Name: w.Weekdays[2], Date: "11-24", Open: []page.Span{{From: 0, To: 1440}}},
		},
		Faults: map[string]string{"phone_number": w.BadNumber, "variables.name": w.BadVariable},
	}
}

func campaign(l text.Lang) page.Import {
	w, at := text.CallsIn(l), clock(30)
	return page.Import{
		ConsolePage: Frame(l, shell.Calls, w.ReportTitle), Sum: w.Summary, Good: 1, Source: "cGhvbmU=",
		Rows: []page.ImportRow{
			{Number: 2, Phone: "+966512345601", Scenario: "تأكيد موعد", At: &at, State: "scheduled", Say: w.Fine, CallID: "call_1"},
			{Number: 3, Phone: "0512", Scenario: "<x>", State: "failed", Say: w.BadNumber},
		},
	}
}

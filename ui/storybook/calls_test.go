package storybook

import (
	"time"

	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/ui/accounts"
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/list"
	"munadi/ui/locale"
	"munadi/ui/people"
	"munadi/ui/queue"
	"munadi/ui/reports"
)

// callPages returns the calls: the list, one call while it runs and afterwards, booking and campaigns.
func callPages(l locale.Language) []Exhibit {
	return []Exhibit{
		{"page-calls", calls.CallsPage(callsPage(l))},
		{"page-calls-empty", calls.CallsPage(calls.CallsView{
			ConsolePage: ConsoleFrame(l, "calls", calls.Title.In(l)), May: true, CSV: calls.CallsPath + ".csv", XLSX: calls.CallsPath + ".xlsx",
		})},
		{"page-call", calls.CallPage(endedCall(l))},
		{"page-call-gaps", calls.GapsPage(endedCall(l))},
		{"page-call-amended", calls.CallPage(amendedCall(l))},
		{"page-queue", queue.Page(queueExample(l))},
		{"page-queue-empty", queue.Page(queue.View{
			ConsolePage: ConsoleFrame(l, "queue", locale.ConsoleQueue.In(l)),
		})},
		{"page-call-live", calls.CallPage(runningCall(l))},
		{"page-person", people.PersonPage(personExample(l))},
		{"page-reports", reports.Page(reportsExample(l))},
		{"page-wall", calls.WallPage(wallExample(l))},
		{"page-person-suppressed", people.PersonPage(suppressedPersonExample(l))},
		{"page-call-new", calls.NewCallPage(newCall(l))},
		{"page-call-ask", calls.AskPage(calls.AskView{
			ConsolePage: ConsoleFrame(l, "calls", calls.CancelTitle.In(l)), Lead: calls.CancelLead.In(l), Items: []string{"+966512345601"},
			Action: calls.CallsPath + "/cancel", Fields: []calls.HiddenField{{Name: "id", Value: "call_1"}}, Do: calls.CancelDo.In(l),
			Back: calls.CallsPath, BackSay: calls.Back.In(l),
		})},
		{"page-call-erase", calls.AskPage(calls.AskView{
			ConsolePage: ConsoleFrame(l, "calls", calls.CallEraseTitle.In(l)), Lead: calls.CallEraseLead.In(l), Items: []string{"+966512345601"},
			Action: calls.CallsPath + "/call_1/erase", Do: calls.CallEraseDo.In(l), Back: calls.CallsPath, BackSay: calls.Back.In(l),
			Confirm: &accounts.Confirmation{User: "amal", HasPassword: true, Elsewhere: "/console/account/confirm?next=%2Fconsole"}, Fault: accounts.WrongCurrent.In(l),
		})},
	}
}

func callRow(id, number, status string) calls.CallRow {
	return calls.CallRow{
		Call: call.Call{ID: "call_" + id, PhoneNumber: number, Status: call.CallStatus(status), ScheduledAt: morningTime(30)},
		Name: "نورة <القحطاني>", Number: number, Scenario: "تأكيد موعد", Status: status, At: morningTime(30), Attempt: 1, Max: 3,
	}
}

// morningTime returns a moment of the fixtures' morning.
func morningTime(minute int) time.Time { return time.Date(2026, 11, 21, 9, minute, 0, 0, time.UTC) }

func callsPage(l locale.Language) calls.CallsView {
	length := 83
	done, refused := callRow("2", "+966512345602", "completed"), callRow("3", "", "user_rejected")
	done.Duration, refused.Reason = &length, "busy"
	return calls.CallsView{
		ConsolePage: ConsoleFrame(l, "calls", calls.Title.In(l)), May: true, CSV: calls.CallsPath + ".csv", XLSX: calls.CallsPath + ".xlsx",
		Statuses: []component.ListChoice{
			{Name: calls.All.In(l), URL: calls.CallsPath, Chosen: true},
			{Name: locale.CallStatuses.Word(l, "scheduled"), Value: "scheduled", Dot: "scheduled", URL: calls.CallsPath + "?status=scheduled"},
		},
		Scenarios: []component.ListChoice{{Value: "restaurant_order", Name: "طلب <من> مطعم"}},
		Rows:      []calls.CallRow{callRow("1", "+966512345601", "scheduled"), done, refused},
		Sort:      list.Sort{URL: calls.CallsPath + "?order=asc", Title: calls.Turn},
		Older:     calls.CallsPath + "?cursor=a&status=b", Newer: calls.CallsPath,
		Planned: 12, PlannedOnly: calls.CallsPath + "?status=scheduled",
		Answers: []calls.AnswerChoices{{
			Slot: "size", Name: "الحجم <س>", Choices: []component.ListChoice{{Name: "كبير", Value: "large", Count: 7, Counted: true}},
			Others: []string{"<وسط>", "صغير"}, Together: 1234,
		}},
	}
}

// endedCall returns the record of a call that was retried.
func endedCall(l locale.Language) calls.CallView {
	length, began, over := 12, morningTime(31), morningTime(32)
	row := callRow("2", "+966512345602", "completed")
	row.Duration, row.Attempt, row.Booking, row.CreatedAt, row.StartedAt, row.EndedAt = &length, 2, call.RetryBooked, morningTime(20), &began, &over
	row.ScenarioID = "appointment_confirmation"
	row.Machine, row.Report = &call.MachineVerdict{Verdict: "human", Cause: "phrase"}, []byte(`{"confirmed": true}`)
	row.Line = &call.LineFacts{
		Trunk: "stc", SIPCodes: []int{100, 180, 200}, Codec: "PCMA", Encrypted: true, Sent: 600, Received: 598, Lost: 2, Late: 1,
		Ignored: 40, Foreign: 1,
	}
	row.Slots = []calls.ReportSlot{
		{Name: "confirmed", Label: locale.SlotWord(l, "confirmed"), Value: calls.CallYes.In(l), Known: true},
		{Name: "new_date", Label: locale.SlotWord(l, "new_date"), Value: calls.CallUnknown.In(l)},
		{Name: "size", Label: locale.SlotWord(l, "size"), Value: "كبير <جدًا>", Known: true},
	}
	trace := call.LineTrace{
		Messages: []call.SIPMessage{
			{At: morningTime(30), Sent: true, Peer: "udp 192.0.2.7:5060", Line: "INVITE sip:+9665•••••02@trunk.example SIP/2.0", Headers: []string{"Authorization: •••"}, SDP: []string{"m=audio 20000 RTP/AVP 8"}},
			{At: morningTime(31), Peer: "udp 192.0.2.7:5060", Line: "SIP/2.0 486 Busy <Here>", Leg: 1, Repeats: 3, Cut: true},
		},
		Omitted: 5,
	}
	for i := range 3 {
		heard := call.MediaQuality{Loss: 0.01 * float64(i), Jitter: 3, MOS: 4.4 - 0.2*float64(i)}
		trace.Quality = append(trace.Quality, call.QualitySample{At: 5 * float64(i), Seconds: 5, Inbound: &heard, RoundTrip: 40 + float64(i)})
	}
	before := callRow("1", "+966512345602", "no_answer")
	return calls.CallView{
		ConsolePage: ConsoleFrame(l, "calls", row.Number), CallRow: row, Zone: time.UTC, Trace: trace,
		Turns: []calls.CallTurn{
			{
				Message: call.Message{Role: call.Assistant, Start: 0.3, End: 2},
				Words:   []calls.MessageWord{{Text: "السلام", Start: 0.3, End: 1}, {Text: "<عليكم>", Start: 1, End: 2}},
			},
			{Message: call.Message{Role: call.User, Start: 2.5, End: 3}, Words: []calls.MessageWord{{Text: "نعم", Start: 2.5, End: 3}}},
			{
				Message: call.Message{Role: call.Assistant, Start: 3.4, End: 4, ReplyTiming: &call.ReplyTiming{Decided: 240, Gap: 400, Heard: 440}},
				Words:   []calls.MessageWord{{Text: "شكرا", Start: 3.4, End: 4}},
			},
		},
		Troubles:   []call.CallError{{Code: "no_input", Message: "Nothing was said.", At: 9}},
		Timeline:   []calls.TimelineLine{{At: morningTime(20), Event: calls.CallEvents.Word(l, "booked"), Actor: "سارة", Note: "a & b"}},
		ReportJSON: "{\n  \"confirmed\": true\n}", Metadata: []calls.CallFact{{Label: "order", Text: "7"}},
		Variables: []calls.CallFact{{Label: locale.SlotWord(l, "name"), Text: "سارة"}},
		Recording: "/console/calls/call_2/recording", Delivery: "/console/webhook",
		Webhook: &delivery.Delivery{State: delivery.Failed, Tries: []delivery.DeliveryTry{
			{At: morningTime(33), Error: "refused"}, {At: morningTime(34), StatusCode: 200, Duration: 41 * time.Millisecond},
		}},
		Chain: []calls.CallRow{before, row}, MayErase: true,
	}
}

// runningCall returns a call while it runs.
func runningCall(l locale.Language) calls.CallView {
	began := morningTime(31)
	row := callRow("5", "+966512345605", "in_progress")
	row.Booking, row.CreatedAt, row.StartedAt = call.Immediate, morningTime(30), &began
	row.ScenarioID = "restaurant_order"
	return calls.CallView{
		ConsolePage: ConsoleFrame(l, "calls", row.Number), CallRow: row, Zone: time.UTC,
		Labels: []calls.SlotLabel{
			{Slot: "size", Text: locale.SlotWord(l, "size")}, {Slot: "size", Value: "large", Text: "كبير <جدًا>"},
		},
		MayHangUp: true, Listen: true, TakeOver: true, Steps: []calls.CallFact{{Label: "ask_time", Text: "الوقت"}}, Timeline: []calls.TimelineLine{{At: morningTime(31), Event: calls.CallEvents.Word(l, "answered")}},
	}
}

func newCall(l locale.Language) calls.NewCall {
	return calls.NewCall{
		ConsolePage: ConsoleFrame(l, "calls", calls.NewTitle.In(l)), Scenario: "a", Number: "0512", Zone: "Asia/Riyadh", Tries: 3,
		Scenarios: []component.ListChoice{{Value: "a", Name: "تأكيد <موعد>", Chosen: true}}, Delays: "10, 30", Once: "once",
		Later: true, At: "2026-11-22T10:00", Earliest: "2026-11-21T09:30", Latest: "2026-12-21T09:30",
		Variables: []calls.CallVariable{
			{
				Name: "name", Label: locale.SlotWord(l, "name"), Description: "اسم صاحب الموعد",
				Field: calls.VariableField{ID: "var-name", Name: "var.name", Required: true},
			},
			{
				Name: "day", Label: "يوم الموعد",
				Field: calls.VariableField{ID: "var-day", Name: "var.day", Type: "date", Value: "2026-11-22"},
			},
			{Name: "count", Label: locale.SlotWord(l, "quantity"), Field: calls.VariableField{ID: "var-count", Name: "var.count", Type: "number"}},
			{
				Name: "branch", Label: "الفرع",
				Field: calls.VariableField{
					ID: "var-branch", Name: "var.branch", Type: "choice", Value: "<الملز>",
					Choices: []component.ListChoice{{Value: "العليا", Name: "العليا"}, {Value: "<الملز>", Name: "حي <الملز>"}},
				},
			},
		},
		Days: []calls.OpenDay{
			{Name: calls.Weekdays[0].In(l), Date: "11-22", Open: []calls.MinuteSpan{{From: 540, To: 1020}}},
			{Name: calls.Weekdays[1].In(l), Date: "11-23"},
			{Name: calls.Weekdays[2].In(l), Date: "11-24", Open: []calls.MinuteSpan{{From: 0, To: 1440}}},
		},
		Confirm: calls.BookingConfirmation{Value: "past_day.date ", Sentences: []string{"<1448>"}},
		Faults:  map[string]string{"phone_number": calls.BadNumber.In(l), "variables.name": locale.FillSentence(calls.VariableMissing.In(l), "name", locale.SlotWord(l, "name"))},
	}
}

package storybook

import (
	"munadi/store/call"
	"munadi/store/campaign"
	uicalls "munadi/ui/calls"
	"munadi/ui/campaigns"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// campaignPages returns the list of campaigns and the page of one.
func campaignPages(l locale.Language) []Exhibit {
	return []Exhibit{
		{"page-campaigns", campaigns.CampaignsPage(campaigns.CampaignsView{
			ConsolePage: ConsoleFrame(l, "campaigns", campaigns.Title.In(l)), May: true, Book: campaigns.CampaignsPath + ".xlsx",
			TableList: component.TableList{Action: campaigns.CampaignsPath, CSV: campaigns.CampaignsPath + ".csv", Next: campaigns.CampaignsPath + "?cursor=a", Shown: 2},
			Rows:      []campaigns.CampaignRow{campaignRow(l, campaign.Running), campaignRow(l, campaign.Finished)},
		})},
		{"page-campaigns-empty", campaigns.CampaignsPage(campaigns.CampaignsView{
			ConsolePage: ConsoleFrame(l, "campaigns", campaigns.Title.In(l)), May: true,
		})},
		{"page-campaign", campaigns.CampaignPage(campaignPage(l))},
		{"page-campaign-unanswered", campaigns.CampaignPage(unansweredCampaign(l))},
		{"page-campaign-people", campaigns.CampaignPeoplePage(campaignPeople(l))},
	}
}

func campaignRow(l locale.Language, status campaign.CampaignStatus) campaigns.CampaignRow {
	starts := morningTime(30)
	people := &campaign.PeopleTally{Unreached: 50, Counts: map[call.CallStatus]int{
		call.Completed: 260, call.NoAnswer: 50, call.InProgress: 2, call.Scheduled: 88,
	}}
	return campaigns.CampaignRow{
		Campaign: campaign.Campaign{
			ID: "camp_1", Name: "مواعيد <الأحد>", Status: status, StartsAt: &starts, CreatedAt: morningTime(20),
			CallerNumber: "+966112345678", CallsPerMinute: 30, Retry: call.RetryPlan{MaxAttempts: 3, DelayMinutes: []int{10, 30}},
			Tally: campaign.CampaignTally{People: people, Counts: map[call.CallStatus]int{call.InProgress: 2}},
		},
		Scenario: "تأكيد موعد",
		Slots: []campaigns.CampaignSlot{{Label: "confirmed", Counts: []campaigns.CampaignCount{
			{Label: uicalls.CallYes.In(l), Count: 200, Of: 260, URL: uicalls.CallsPath + "?a"}, {Label: uicalls.CallNo.In(l), Count: 60, Of: 260, URL: uicalls.CallsPath + "?b"},
		}}},
	}
}

func campaignPage(l locale.Language) campaigns.CampaignView {
	row, ends := campaignRow(l, campaign.Running), morningTime(55)
	row.StartsAt, row.EndsAt = nil, &ends
	row.Slots = append(row.Slots, campaigns.CampaignSlot{Label: "new_date", Counts: row.Slots[0].Counts, Others: 7})
	return campaigns.CampaignView{
		ConsolePage: ConsoleFrame(l, "campaigns", row.Name), CampaignRow: row, May: true,
		NotBooked: []campaigns.SkippedRow{
			{SkippedRow: skippedRow(3, "0512", "ليلى <هند>"), Why: "must be <E.164>"}, {SkippedRow: skippedRow(4, "", "سارة"), Why: "Duplicate"},
		},
	}
}

// unansweredCampaign has ended without an answer.
func unansweredCampaign(l locale.Language) campaigns.CampaignView {
	p := campaignPage(l)
	p.Status, p.Slots = campaign.Finished, nil
	return p
}

// skippedRow returns a row of a sheet that was not booked.
func skippedRow(row int, number, name string) campaign.SkippedRow {
	return campaign.SkippedRow{FileRow: campaign.FileRow{Sheet: "الأحد <1>", Row: row, Name: name}, PhoneNumber: number}
}

// campaignPeople returns the people behind a count.
func campaignPeople(l locale.Language) campaigns.CampaignPeopleView {
	row := uicalls.CallRow{Call: call.Call{ID: "call_1"}, Number: "+966512345601", Status: "no_answer", At: morningTime(20), Attempt: 3}
	erased := uicalls.CallRow{Call: call.Call{ID: "call_2"}, Status: "completed", At: morningTime(21), Attempt: 1}
	return campaigns.CampaignPeopleView{
		ConsolePage: ConsoleFrame(l, "campaigns", "A <b>"), Name: "A <b>", Filter: campaigns.Unreached.In(l),
		Back: campaigns.CampaignsPath + "/camp_1", Count: 102, Rows: []uicalls.CallRow{row, erased}, Older: "?page=1",
	}
}

// newCampaignPages returns the steps from a file to a campaign.
func newCampaignPages(l locale.Language) []Exhibit {
	frame := func(title string) layout.ConsolePage { return ConsoleFrame(l, "campaigns", title) }
	b, phone := form.NewBinder(l, nil, []form.Violation{{Path: "pace", Message: campaigns.NewBadPace.In(l)}}), "phone_number"
	file := campaigns.BindFile(b, &campaigns.FileChoice{
		Pasted:   "الاسم\tالجوال\nسارة <1>\t0512345601",
		Scenario: "a", Scenarios: []form.Option{{Value: "a", Name: "تأكيد <موعد>"}},
		Region: "SA", Regions: []form.Option{{Value: "SA", Name: locale.RegionName(l, "SA") + " (+966)"}},
	})
	draft := campaigns.CampaignDraft{ID: "camp_1", Table: "H4sI", File: "مواعيد", Region: "SA", Scenario: "a", Fields: []string{"phone_number", ""}}
	choices := []form.Option{{Name: campaigns.NewIgnore.In(l)}, {Value: "phone_number", Name: campaigns.NewPhone.In(l)}}
	return []Exhibit{
		{"page-campaign-upload", campaigns.CampaignUploadPage(campaigns.CampaignUpload{
			ConsolePage: frame(campaigns.NewTitle.In(l)), Fault: campaigns.NewOldFormat.In(l), Fields: file, KnownRegion: true,
		})},
		{"page-campaign-sheet", campaigns.SheetPage(campaigns.SheetChoice{
			ConsolePage: frame(campaigns.SheetTitle.In(l)), Draft: draft, Fault: campaigns.NewTooMany.In(l),
			Sheets: []campaigns.SheetRows{{Name: "الأحد <1>", Rows: 120}, {Name: "Sheet2", Rows: 3}},
		})},
		{"page-campaign-columns", campaigns.CampaignColumnsPage(campaigns.CampaignColumns{
			ConsolePage: frame(campaigns.NewColumnsTitle.In(l)), Draft: draft, Rows: 400, Remembered: true, Scenario: file.Scenario, Region: file.Region,
			Columns: []campaigns.ColumnChoice{{Header: "رقم <الجوال>", Samples: []string{"0512345601", "٠٥١٢"}, Field: campaigns.BindColumn(b, "col.0", &phone, choices)}},
		})},
		{"page-campaign-check", campaigns.CampaignCheckPage(campaigns.CampaignCheck{
			ConsolePage: frame(campaigns.NewCheckTitle.In(l)), Draft: draft, Good: 388, Bad: 120, Labels: []string{"رقم الجوال"}, Scenario: "تأكيد موعد",
			Rows:       []campaigns.FaultyRow{{Number: 7, Cells: []campaigns.FaultyCell{{Name: "fix.5.0", Value: "<05>", Bad: true}}, Fault: uicalls.BadNumber.In(l)}},
			Duplicates: []campaign.SkippedRow{skippedRow(9, "+966512345601", "سارة")}, Suppressed: []campaign.SkippedRow{skippedRow(12, "+966512345602", "")},
			Totals:   []campaign.SkippedRow{skippedRow(130, "", "المجموع <1> · 125")},
			Settings: campaigns.BindSettings(b, &campaigns.CampaignSettings{Name: "مواعيد", Tries: "3", Delays: "10, 30", Pace: "0", Zone: "Asia/Riyadh"}),
			Days:     newCall(l).Days,
			Questions: []campaigns.RadioQuestion{{
				Name: "shared", Text: "Who is <called>?", Lead: "One after <another>", Required: true, Fault: "Choose <first>",
				Shared:  []campaigns.SharedNumber{{Number: "+966512345601", Rows: []campaign.FileRow{{Row: 4, Name: "منى <أم>"}, {Row: 5, Name: "طفل"}}}},
				Options: []component.ListChoice{{Value: "each", Name: "<Each>"}, {Value: "once", Name: "Once", Chosen: true}},
			}, {Name: "order.2", Text: "تاريخ <الموعد>", Options: []component.ListChoice{
				{Value: "day", Name: "5", Chosen: true}, {Value: "month", Name: "12"},
			}}},
			Doubts: []campaigns.DoubtQuestion{{Name: "confirm.past_day.date", Text: "يوم <الموعد>", Confirmed: true}},
			Start:  campaigns.ImportStartCalls.In(l).Fill(388, "scenario", "تأكيد <موعد>", "hours", "09:00–17:00"),
			Preview: campaigns.CampaignPreview{Ready: 388, From: 3, Shown: 5, Back: 0, Next: 13, Rows: []campaigns.PreviewedRow{
				{Number: 7, Phone: "+966512345601", Values: []campaigns.PreviewedValue{{Label: "يوم الموعد", Text: "<2026>"}}, Sound: "/console/campaigns/hear", Lines: []campaigns.PreviewedLine{
					{Text: "السلام <عليكم>"}, {Text: "سارة", Silent: true},
				}},
				{Number: 8, Phone: "+966512345602", Failed: true},
			}},
		})},
	}
}

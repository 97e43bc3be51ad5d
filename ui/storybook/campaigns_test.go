package storybook

import (
	"munadi/store/call"
	uicalls "munadi/ui/calls"
	"munadi/ui/campaigns"
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// campaignPages returns the list of campaigns and the page of one.
func campaignPages(l locale.Language) []Exhibit {
	return []Exhibit{
		{"page-campaigns", campaigns.CampaignsPage(campaigns.CampaignsView{
			ConsolePage: ConsoleFrame(l, "campaigns", campaigns.Title.In(l)), May: true, Older: campaigns.CampaignsPath + "?cursor=a",
			Rows: []campaigns.CampaignRow{campaignRow(l, "running"), campaignRow(l, "finished")},
		})},
		{"page-campaigns-empty", campaigns.CampaignsPage(campaigns.CampaignsView{
			ConsolePage: ConsoleFrame(l, "campaigns", campaigns.Title.In(l)), May: true,
		})},
		{"page-campaign", campaigns.CampaignPage(campaignPage(l))},
		{"page-campaign-people", campaigns.CampaignPeoplePage(campaignPeople(l))},
	}
}

func campaignRow(l locale.Language, status string) campaigns.CampaignRow {
	part := func(state string, n int) campaigns.CampaignPart {
		return campaigns.CampaignPart{State: state, CampaignCount: campaigns.CampaignCount{
			Label: locale.StatusWord(l, state), Count: n, Of: 400, URL: uicalls.CallsPath + "?status=" + state,
		}}
	}
	return campaigns.CampaignRow{
		ID: "camp_1", Name: "مواعيد <الأحد>", Scenario: "تأكيد موعد", Status: status, Starts: morningTime(30), Done: 310, Total: 400,
		Parts: []campaigns.CampaignPart{part("completed", 260), part("no_answer", 50), part("in_progress", 2), part("scheduled", 88)},
		Main: []campaigns.CampaignCount{
			{Label: uicalls.CallYes.In(l), Count: 200, Of: 260, URL: uicalls.CallsPath + "?a"}, {Label: uicalls.CallNo.In(l), Count: 60, Of: 260, URL: uicalls.CallsPath + "?b"},
		},
	}
}

func campaignPage(l locale.Language) campaigns.CampaignView {
	row, ends := campaignRow(l, "running"), morningTime(55)
	return campaigns.CampaignView{
		ConsolePage: ConsoleFrame(l, "campaigns", row.Name), CampaignRow: row, Unreached: 50, UnreachedURL: "/console/campaigns/camp_1/people?status=unreached", Made: morningTime(20),
		EndsAt: &ends, Caller: "+966112345678", Pace: 30, Attempts: 3, Waits: "10, 30", May: true, Calls: uicalls.CallsPath + "?campaign=camp_1",
		Live:    uicalls.CallsPath + "/events",
		Slots:   []campaigns.CampaignSlot{{Label: "confirmed", Counts: row.Main}, {Label: "new_date", Counts: row.Main, Others: 7}},
		Skipped: []campaigns.SkippedLine{{Row: 3, Number: "0512", Reason: "invalid", Fault: "must be <E.164>"}, {Row: 4, Reason: "duplicate"}},
	}
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
	scenarios := []component.ListChoice{{Value: "a", Name: "تأكيد <موعد>", Chosen: true}}
	regions := []component.ListChoice{{Value: "SA", Name: locale.RegionName(l, "SA") + " (+966)", Chosen: true}}
	draft := campaigns.CampaignDraft{ID: "camp_1", Table: "H4sI", File: "مواعيد", Region: "SA", Scenario: "a", Fields: []string{"phone_number", ""}}
	choices := []component.ListChoice{{Name: campaigns.NewIgnore.In(l)}, {Value: "phone_number", Name: campaigns.NewPhone.In(l), Chosen: true}}
	return []Exhibit{
		{"page-campaign-upload", campaigns.CampaignUploadPage(campaigns.CampaignUpload{
			ConsolePage: frame(campaigns.NewTitle.In(l)), Fault: campaigns.NewOldFormat.In(l), Scenarios: scenarios, Regions: regions, KnownRegion: true,
		})},
		{"page-campaign-columns", campaigns.CampaignColumnsPage(campaigns.CampaignColumns{
			ConsolePage: frame(campaigns.NewColumnsTitle.In(l)), Draft: draft, Rows: 400, Remembered: true, Scenarios: scenarios, Regions: regions,
			Columns: []campaigns.ColumnChoice{{Name: "col.0", Header: "رقم <الجوال>", Samples: []string{"0512345601", "٠٥١٢"}, Options: choices}},
		})},
		{"page-campaign-check", campaigns.CampaignCheckPage(campaigns.CampaignCheck{
			ConsolePage: frame(campaigns.NewCheckTitle.In(l)), Draft: draft, Good: 388, Bad: 120, Labels: []string{"رقم الجوال"}, Scenario: "تأكيد موعد",
			Rows:       []campaigns.FaultyRow{{Number: 7, Cells: []campaigns.FaultyCell{{Name: "fix.5.0", Value: "<05>", Bad: true}}, Fault: uicalls.BadNumber.In(l)}},
			Duplicates: []campaigns.SkippedLine{{Row: 9, Number: "+966512345601"}}, Suppressed: []campaigns.SkippedLine{{Row: 12, Number: "+966512345602"}},
			Settings: campaigns.CampaignSettings{Name: "مواعيد", Tries: "3", Delays: "10, 30", Pace: "0"}, Zone: "Asia/Riyadh",
			Faults: map[string]string{"calls_per_minute": campaigns.NewBadPace.In(l)}, Days: newCall(l).Days,
			Styles: []campaigns.StyleQuestion{{Name: "order.2", Text: "تاريخ <الموعد>", Options: []component.ListChoice{
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

package storybook

import (
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// campaignPages returns the list of campaigns and the page of one.
func campaignPages(l locale.Language) []Exhibit {
	w := locale.CampaignsIn(l)
	return []Exhibit{
		{"page-campaigns", page.CampaignsPage(page.CampaignsView{
			ConsolePage: ConsoleFrame(l, layout.Campaigns, w.Title), May: true, Older: page.CampaignsPath + "?cursor=a",
			Rows: []page.CampaignRow{campaignRow(l, "running"), campaignRow(l, "finished")},
		})},
		{"page-campaigns-empty", page.CampaignsPage(page.CampaignsView{
			ConsolePage: ConsoleFrame(l, layout.Campaigns, w.Title), May: true,
		})},
		{"page-campaign", page.CampaignPage(campaignPage(l))},
	}
}

func campaignRow(l locale.Language, status string) page.CampaignRow {
	w := locale.CampaignsIn(l)
	part := func(state string, n int) page.CampaignPart {
		return page.CampaignPart{State: state, CampaignCount: page.CampaignCount{
			Label: locale.StatusWord(l, state), Count: n, Of: 400, URL: page.CallsPath + "?status=" + state,
		}}
	}
	return page.CampaignRow{
		ID: "camp_1", Name: "مواعيد <الأحد>", Scenario: "تأكيد موعد", Status: status, Starts: morningTime(30), Done: 310, Total: 400,
		Parts: []page.CampaignPart{part("completed", 260), part("no_answer", 50), part("in_progress", 2), part("scheduled", 88)},
		Main: []page.CampaignCount{
			{Label: w.Yes, Count: 200, Of: 260, URL: page.CallsPath + "?a"}, {Label: w.No, Count: 60, Of: 260, URL: page.CallsPath + "?b"},
		},
	}
}

func campaignPage(l locale.Language) page.CampaignView {
	row, ends := campaignRow(l, "running"), morningTime(55)
	return page.CampaignView{
		ConsolePage: ConsoleFrame(l, layout.Campaigns, row.Name), CampaignRow: row, Unreached: 50, Made: morningTime(20),
		EndsAt: &ends, Pace: 30, Attempts: 3, Waits: "10, 30", May: true, Calls: page.CallsPath + "?campaign=camp_1",
		Live:    page.CallsPath + "/events",
		Slots:   []page.CampaignSlot{{Label: "confirmed", Counts: row.Main}, {Label: "new_date", Counts: row.Main, Others: 7}},
		Skipped: []page.SkippedLine{{Row: 3, Number: "0512", Reason: "invalid", Fault: "must be <E.164>"}, {Row: 4, Reason: "duplicate"}},
	}
}

// Package campaigns is the console's section of campaigns: from a file or a list of calls to their results.
package campaigns

import (
	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// handlers are the section's pages and actions.
type handlers struct{ *kit.Console }

// DeclareSection declares campaigns.
func DeclareSection(console *kit.Console) kit.Section {
	s := handlers{console}
	shown := layout.ConsoleSection{
		ID: "campaigns", Name: locale.Text{"الحملات", "Campaigns"}, Icon: "campaigns", Group: layout.Work,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 30, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/campaigns", s.listCampaigns),
		kit.GetPage(account.Viewer, "/campaigns.csv", s.exportCampaigns),
		kit.GetPage(account.Viewer, "/campaigns.xlsx", s.exportCampaignsBook),
		kit.GetPage(account.Viewer, "/campaigns/:campaign", s.showCampaign),
		kit.GetPage(account.Viewer, "/campaigns/:campaign/people", s.listCampaignPeople),
		kit.GetPage(account.Viewer, "/campaigns/:campaign/results.csv", s.downloadCampaignResults),
		kit.GetPage(account.Viewer, "/campaigns/:campaign/results.xlsx", s.downloadCampaignWorkbook),
		kit.GetPage(account.Operator, "/campaigns/new", s.newCampaign),
		kit.GetPage(account.Operator, "/campaigns/template.csv", s.downloadCampaignTemplate),
		kit.GetPage(account.Operator, "/campaigns/hear", s.serveCampaignSpeech),
		kit.PostForm(account.Operator, "/campaigns/columns", s.chooseColumns),
		kit.PostForm(account.Operator, "/campaigns/check", s.checkCampaign),
		kit.PostForm(account.Operator, "/campaigns", s.createCampaign),
		kit.PostForm(account.Operator, "/campaigns/:campaign/pause", s.changeCampaign(store.PauseCampaign)),
		kit.PostForm(account.Operator, "/campaigns/:campaign/resume", s.changeCampaign(store.ResumeCampaign)),
		kit.GetPage(account.Operator, "/campaigns/:campaign/cancel", s.askCancelCampaign),
		kit.PostForm(account.Operator, "/campaigns/:campaign/cancel", s.changeCampaign(store.CancelCampaign)),
		kit.GetPage(account.Operator, "/campaigns/:campaign/retry", s.askRetryUnreached),
		kit.PostForm(account.Operator, "/campaigns/:campaign/retry", s.retryUnreached),
	}}
}

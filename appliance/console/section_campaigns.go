package console

import (
	"munadi/store"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// campaignsSection declares campaigns.
func (s *ConsoleService) campaignsSection() Section {
	shown := layout.ConsoleSection{
		ID: "campaigns", Name: locale.Text{"الحملات", "Campaigns"}, Icon: "campaigns",
	}
	return Section{ConsoleSection: shown, Role: account.Viewer, Order: 30, Routes: []Route{
		GetPage(account.Viewer, "/campaigns", s.listCampaigns),
		GetPage(account.Viewer, "/campaigns/:campaign", s.showCampaign),
		GetPage(account.Viewer, "/campaigns/:campaign/people", s.listCampaignPeople),
		GetPage(account.Viewer, "/campaigns/:campaign/results.csv", s.downloadCampaignResults),
		GetPage(account.Operator, "/campaigns/new", s.newCampaign),
		GetPage(account.Operator, "/campaigns/template.csv", s.downloadCampaignTemplate),
		PostForm(account.Operator, "/campaigns/columns", s.chooseColumns),
		PostForm(account.Operator, "/campaigns/check", s.checkCampaign),
		PostForm(account.Operator, "/campaigns", s.createCampaign),
		PostForm(account.Operator, "/campaigns/:campaign/pause", s.changeCampaign(store.PauseCampaign)),
		PostForm(account.Operator, "/campaigns/:campaign/resume", s.changeCampaign(store.ResumeCampaign)),
		GetPage(account.Operator, "/campaigns/:campaign/cancel", s.askCancelCampaign),
		PostForm(account.Operator, "/campaigns/:campaign/cancel", s.changeCampaign(store.CancelCampaign)),
		GetPage(account.Operator, "/campaigns/:campaign/retry", s.askRetryUnreached),
		PostForm(account.Operator, "/campaigns/:campaign/retry", s.retryUnreached),
	}}
}

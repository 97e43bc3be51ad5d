package console

import "munadi/store"

// mountCampaigns adds the routes of campaigns.
func (s *ConsoleService) mountCampaigns(g routeGroups) {
	g.look.GET("/campaigns", s.listCampaigns)
	g.look.GET("/campaigns/:campaign", s.showCampaign)
	g.look.GET("/campaigns/:campaign/people", s.listCampaignPeople)
	g.look.GET("/campaigns/:campaign/results.csv", s.downloadCampaignResults)

	g.act.GET("/campaigns/new", s.newCampaign)
	g.act.GET("/campaigns/template.csv", s.campaignTemplate)
	g.act.POST("/campaigns/columns", s.chooseColumns)
	g.act.POST("/campaigns/check", s.checkCampaign)
	g.act.POST("/campaigns", s.createCampaign)
	g.act.POST("/campaigns/:campaign/pause", s.changeCampaign(store.PauseCampaign))
	g.act.POST("/campaigns/:campaign/resume", s.changeCampaign(store.ResumeCampaign))
	g.act.GET("/campaigns/:campaign/cancel", s.askCancelCampaign)
	g.act.POST("/campaigns/:campaign/cancel", s.changeCampaign(store.CancelCampaign))
	g.act.GET("/campaigns/:campaign/retry", s.askRetryUnreached)
	g.act.POST("/campaigns/:campaign/retry", s.retryUnreached)
}

package console

import "munadi/store"

// mountCampaigns adds the routes of campaigns.
func (s *ConsoleService) mountCampaigns(g routeGroups) {
	g.viewer.GET("/campaigns", s.listCampaigns)
	g.viewer.GET("/campaigns/:campaign", s.showCampaign)
	g.viewer.GET("/campaigns/:campaign/people", s.listCampaignPeople)
	g.viewer.GET("/campaigns/:campaign/results.csv", s.downloadCampaignResults)

	g.operator.GET("/campaigns/new", s.newCampaign)
	g.operator.GET("/campaigns/template.csv", s.downloadCampaignTemplate)
	g.operator.POST("/campaigns/columns", s.chooseColumns)
	g.operator.POST("/campaigns/check", s.checkCampaign)
	g.operator.POST("/campaigns", s.createCampaign)
	g.operator.POST("/campaigns/:campaign/pause", s.changeCampaign(store.PauseCampaign))
	g.operator.POST("/campaigns/:campaign/resume", s.changeCampaign(store.ResumeCampaign))
	g.operator.GET("/campaigns/:campaign/cancel", s.askCancelCampaign)
	g.operator.POST("/campaigns/:campaign/cancel", s.changeCampaign(store.CancelCampaign))
	g.operator.GET("/campaigns/:campaign/retry", s.askRetryUnreached)
	g.operator.POST("/campaigns/:campaign/retry", s.retryUnreached)
}

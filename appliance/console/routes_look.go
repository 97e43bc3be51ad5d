package console

// mountLook adds the two pages that show how things are: today, and the appliance.
func (s *ConsoleService) mountLook(g routeGroups) {
	g.look.GET("", s.showDashboard)
	g.look.GET("/", s.showDashboard)
	g.look.GET("/system", s.showSystem)
	g.own.POST("/system/backup", s.backUp, requireGovernor)
}

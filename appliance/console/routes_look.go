package console

// mountLook adds the routes of the dashboard and the system page.
func (s *ConsoleService) mountLook(g routeGroups) {
	g.look.GET("", s.showDashboard)
	g.look.GET("/", s.showDashboard)
	g.look.GET("/system", s.showSystem)
	g.own.POST("/system/backup", s.backUp, requireGovernor)
}

package console

// mountDashboard adds the routes of the dashboard and the system page.
func (s *ConsoleService) mountDashboard(g routeGroups) {
	g.viewer.GET("", s.showDashboard)
	g.viewer.GET("/", s.showDashboard)
	g.viewer.GET("/system", s.showSystem)
	g.owner.POST("/system/backup", s.startBackup, requireGovernor)
}

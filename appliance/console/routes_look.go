package console

// mountLook adds the two pages that show how things are: today, and the appliance.
func (s *Service) mountLook(g groups) {
	g.look.GET("", s.dashboard)
	g.look.GET("/", s.dashboard)
	g.look.GET("/system", s.system)
	g.own.POST("/system/backup", s.backUp, governors)
}

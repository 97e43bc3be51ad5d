package console

// mountWebhook adds the routes of the webhook and its deliveries.
func (s *ConsoleService) mountWebhook(g routeGroups) {
	g.own.GET("/webhook", s.showWebhook)
	g.own.POST("/webhook", s.saveWebhook)
	g.own.POST("/webhook/rotate", s.rotateSecret)
	g.own.POST("/webhook/test", s.tryWebhook)
	g.own.GET("/webhook/deliveries.csv", s.exportDeliveries)
	g.own.GET("/webhook/deliveries/:delivery", s.showDelivery)
	g.own.POST("/webhook/deliveries/:delivery/redeliver", s.redeliverWebhook)
}

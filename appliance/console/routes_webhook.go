package console

// mountWebhook adds the routes of the webhook and its deliveries.
func (s *ConsoleService) mountWebhook(g routeGroups) {
	g.owner.GET("/webhook", s.showWebhook)
	g.owner.POST("/webhook", s.saveWebhook)
	g.owner.POST("/webhook/rotate", s.rotateSecret)
	g.owner.POST("/webhook/test", s.testWebhook)
	g.owner.GET("/webhook/deliveries.csv", s.exportDeliveries)
	g.owner.GET("/webhook/deliveries/:delivery", s.showDelivery)
	g.owner.POST("/webhook/deliveries/:delivery/redeliver", s.redeliverWebhook)
}

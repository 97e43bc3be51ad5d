package console

// mountWebhook adds the notifications.
func (s *Service) mountWebhook(g groups) {
	g.own.GET("/webhook", s.webhook)
	g.own.POST("/webhook", s.saveWebhook)
	g.own.POST("/webhook/rotate", s.rotateSecret)
	g.own.POST("/webhook/test", s.tryWebhook)
	g.own.GET("/webhook/deliveries.csv", s.exportDeliveries)
	g.own.GET("/webhook/deliveries/:delivery", s.delivery)
	g.own.POST("/webhook/deliveries/:delivery/redeliver", s.redeliver)
}

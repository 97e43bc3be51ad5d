package console

// mountCalls adds the routes of calls: the list, one call, and booking.
func (s *ConsoleService) mountCalls(g routeGroups) {
	g.look.GET("/calls", s.listCalls)
	g.look.GET("/calls.csv", s.exportCalls)
	g.look.GET("/palette", s.showPalette)
	g.look.GET("/calls/events", s.watchCalls)
	g.look.GET("/calls/wall", s.showWall)
	g.look.POST("/calls/views", s.saveView)
	g.look.POST("/calls/views/delete", s.deleteView)
	g.act.GET("/calls/bulk", s.askBulk)
	g.act.POST("/calls/bulk", s.startBulk)
	g.act.GET("/calls/bulk/:id", s.showBulk)
	g.act.POST("/calls/bulk/:id/undo", s.undoBulk)
	g.look.GET("/calls/:id", s.showCall)
	g.look.GET("/calls/:id/events", s.watchCall)
	g.look.GET("/calls/:id/recording", s.callRecording)

	g.act.GET("/calls/new", s.newCall)
	g.act.POST("/calls", s.bookCall)
	g.act.GET("/calls/cancel", s.askCancel)
	g.act.POST("/calls/cancel", s.cancelCalls)
	g.act.GET("/calls/:id/listen", s.listenIn)
	g.act.GET("/calls/:id/hangup", s.askHangup)
	g.act.POST("/calls/:id/hangup", s.hangupCall)
	g.act.POST("/calls/:id/reschedule", s.rescheduleCall)
	g.look.GET("/people/:number", s.showPerson)
	g.act.GET("/calls/:id/erase", s.askErase)
	g.act.POST("/calls/:id/erase", s.erasePerson)
}

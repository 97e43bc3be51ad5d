package console

// mountFlows adds the routes of dialling rules, the suppression list, restaurant phrases, scenarios and the
// workbench.
func (s *ConsoleService) mountFlows(g routeGroups) {
	g.look.GET("/rules", s.showRules)
	g.own.POST("/rules", s.saveRules)
	g.act.POST("/rules/stop", s.stopCalling)
	g.own.GET("/rules/resume", s.askResume)
	g.own.POST("/rules/resume", s.resumeCalling)

	g.look.GET("/rules/suppressions", s.listSuppressions)
	g.look.GET("/rules/suppressions.csv", s.exportSuppressions)
	g.act.POST("/rules/suppressions", s.addSuppression)
	g.act.POST("/rules/suppressions/import", s.importSuppressions)
	g.act.GET("/rules/suppressions/remove", s.askUnsuppress)
	g.act.POST("/rules/suppressions/remove", s.removeSuppression)

	g.look.GET("/phrases", s.showPhrases)
	g.act.POST("/phrases", s.savePhrases)
	g.act.GET("/phrases/reset", s.askReset)
	g.act.POST("/phrases/reset", s.resetPhrases)

	g.look.GET("/scenarios", s.listScenarios)
	g.look.GET("/scenarios.csv", s.exportScenarios)
	g.act.GET("/scenarios/new", s.newScenario)
	g.act.POST("/scenarios", s.createScenario)
	g.look.GET("/scenarios/:scenario", s.showScenario)
	g.act.POST("/scenarios/:scenario", s.saveScenario)
	g.look.GET("/scenarios/:scenario/sound", s.scenarioSound)
	g.act.POST("/scenarios/:scenario/draft", s.changeDraft)
	g.act.GET("/scenarios/:scenario/hear", s.hearText)
	g.look.GET("/scenarios/:scenario/versions", s.listVersions)
	g.look.GET("/scenarios/:scenario/versions/:version", s.showVersion)
	g.act.POST("/scenarios/:scenario/versions/:version/restore", s.restoreVersion)
	g.act.GET("/scenarios/:scenario/edit", s.editScenario)
	g.act.GET("/scenarios/:scenario/delete", s.askDeleteScenario)
	g.act.POST("/scenarios/:scenario/delete", s.deleteScenario)
	g.act.POST("/scenarios/:scenario/try", s.tryScenario)

	g.look.GET("/reports", s.showReports)
	g.look.GET("/reports.csv", s.exportReports)

	g.look.GET("/workbench", s.showWorkbench)
	g.act.POST("/workbench", s.decodeOnWorkbench)
}

package console

// mountRulesAndScenarios adds the routes of dialling rules, the suppression list, restaurant phrases, scenarios and the
// workbench.
func (s *ConsoleService) mountRulesAndScenarios(g routeGroups) {
	g.viewer.GET("/rules", s.showRules)
	g.owner.POST("/rules", s.saveRules)
	g.operator.POST("/rules/stop", s.stopCalling)
	g.owner.GET("/rules/resume", s.askResumeCalling)
	g.owner.POST("/rules/resume", s.resumeCalling)

	g.viewer.GET("/rules/suppressions", s.listSuppressions)
	g.viewer.GET("/rules/suppressions.csv", s.exportSuppressions)
	g.operator.POST("/rules/suppressions", s.addSuppression)
	g.operator.POST("/rules/suppressions/import", s.importSuppressions)
	g.operator.GET("/rules/suppressions/remove", s.askRemoveSuppression)
	g.operator.POST("/rules/suppressions/remove", s.removeSuppression)

	g.viewer.GET("/phrases", s.showPhrases)
	g.operator.POST("/phrases", s.savePhrases)
	g.operator.GET("/phrases/reset", s.askResetPhrases)
	g.operator.POST("/phrases/reset", s.resetPhrases)

	g.viewer.GET("/scenarios", s.listScenarios)
	g.viewer.GET("/scenarios.csv", s.exportScenarios)
	g.operator.GET("/scenarios/new", s.newScenario)
	g.operator.POST("/scenarios", s.createScenario)
	g.viewer.GET("/scenarios/:scenario", s.showScenario)
	g.operator.POST("/scenarios/:scenario", s.saveScenario)
	g.viewer.GET("/scenarios/:scenario/sound", s.serveScenarioLine)
	g.operator.POST("/scenarios/:scenario/draft", s.changeDraft)
	g.operator.GET("/scenarios/:scenario/hear", s.serveDraftLine)
	g.viewer.GET("/scenarios/:scenario/versions", s.listVersions)
	g.viewer.GET("/scenarios/:scenario/versions/:version", s.showVersion)
	g.operator.POST("/scenarios/:scenario/versions/:version/restore", s.restoreVersion)
	g.operator.GET("/scenarios/:scenario/edit", s.showScenarioEditor)
	g.operator.GET("/scenarios/:scenario/delete", s.askDeleteScenario)
	g.operator.POST("/scenarios/:scenario/delete", s.deleteScenario)
	g.operator.POST("/scenarios/:scenario/try", s.tryScenario)

	g.viewer.GET("/reports", s.showReports)
	g.viewer.GET("/reports.csv", s.exportReports)

	g.viewer.GET("/workbench", s.showWorkbench)
	g.operator.POST("/workbench", s.decodeOnWorkbench)
}

package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// scenariosSection declares scenarios: the list, one scenario, its editor and versions.
func (s *ConsoleService) scenariosSection() Section {
	shown := layout.ConsoleSection{
		ID: "scenarios", Name: locale.Text{"السيناريوهات", "Scenarios"}, Icon: "scenarios",
	}
	return Section{ConsoleSection: shown, Role: account.Viewer, Order: 80, Routes: []Route{
		GetPage(account.Viewer, "/scenarios", s.listScenarios),
		GetPage(account.Viewer, "/scenarios.csv", s.exportScenarios),
		GetPage(account.Operator, "/scenarios/new", s.newScenario),
		PostForm(account.Operator, "/scenarios", s.createScenario),
		GetPage(account.Viewer, "/scenarios/:scenario", s.showScenario),
		PostForm(account.Operator, "/scenarios/:scenario", s.saveScenario),
		GetPage(account.Viewer, "/scenarios/:scenario/sound", s.serveScenarioLine),
		PostForm(account.Operator, "/scenarios/:scenario/draft", s.changeDraft),
		GetPage(account.Operator, "/scenarios/:scenario/hear", s.serveDraftLine),
		GetPage(account.Viewer, "/scenarios/:scenario/versions", s.listVersions),
		GetPage(account.Viewer, "/scenarios/:scenario/versions/:version", s.showVersion),
		PostForm(account.Operator, "/scenarios/:scenario/versions/:version/restore", s.restoreVersion),
		GetPage(account.Operator, "/scenarios/:scenario/edit", s.showScenarioEditor),
		GetPage(account.Operator, "/scenarios/:scenario/delete", s.askDeleteScenario),
		PostForm(account.Operator, "/scenarios/:scenario/delete", s.deleteScenario),
		PostForm(account.Operator, "/scenarios/:scenario/try", s.tryScenario),
	}}
}

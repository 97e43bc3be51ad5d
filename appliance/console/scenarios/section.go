// Package scenarios is the console's section of scenarios: list, editor, trial, tests, versions.
package scenarios

import (
	"context"
	"time"

	"munadi/appliance/certainty"
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/scenario"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// Parts are what only this section needs.
type Parts struct {
	// MeasureCertainty measures the questions with a bound on wrong answers; nil: it is not shown.
	MeasureCertainty func(
		ctx context.Context, orgID string, s scenario.Scenario, zone *time.Location,
	) ([]certainty.Question, error)
}

// handlers are the section's pages and actions.
type handlers struct {
	*kit.Console
	Parts
}

// DeclareSection declares scenarios: the list, one scenario, its editor and versions.
func DeclareSection(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	shown := layout.ConsoleSection{
		ID: "scenarios", Name: locale.Text{"السيناريوهات", "Scenarios"}, Icon: "scenarios", Group: layout.SetUp,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 80, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/scenarios", s.listScenarios),
		kit.GetPage(account.Viewer, "/scenarios.csv", s.exportScenarios),
		kit.GetPage(account.Operator, "/scenarios/new", s.newScenario),
		kit.PostForm(account.Operator, "/scenarios", s.createScenario),
		kit.GetPage(account.Viewer, "/scenarios/:scenario", s.showScenario),
		kit.PostForm(account.Operator, "/scenarios/:scenario", s.saveScenario),
		kit.GetPage(account.Viewer, "/scenarios/:scenario/sound", s.serveScenarioLine),
		kit.PostForm(account.Operator, "/scenarios/:scenario/draft", s.changeDraft),
		kit.GetPage(account.Operator, "/scenarios/:scenario/hear", s.serveDraftLine),
		kit.GetPage(account.Viewer, "/scenarios/:scenario/versions", s.listVersions),
		kit.GetPage(account.Viewer, "/scenarios/:scenario/versions/:version", s.showVersion),
		kit.GetPage(account.Operator, "/scenarios/:scenario/edit", s.showScenarioEditor),
		kit.GetPage(account.Operator, "/scenarios/:scenario/delete", s.askDeleteScenario),
		kit.PostForm(account.Operator, "/scenarios/:scenario/delete", s.deleteScenario),
		kit.PostForm(account.Operator, "/scenarios/:scenario/try", s.tryScenario),
		kit.PostForm(account.Operator, "/scenarios/:scenario/tests", s.runScenarioTests),
		kit.PostForm(account.Operator, "/scenarios/:scenario/proposals", s.decideProposal),
		kit.GetPage(account.Operator, "/scenarios/:scenario/talk", s.showTalk),
		kit.GetPage(account.Operator, "/scenarios/:scenario/talk/line", s.holdTalk),
		kit.PostForm(account.Operator, "/scenarios/:scenario/ring", s.ringTrial),
	}}
}

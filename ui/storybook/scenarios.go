package storybook

import (
	"time"

	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// scenarioPages are the pages around a scenario.
func scenarioPages(l locale.Language) []Exhibit {
	return []Exhibit{
		{"page-scenario-versions", page.VersionsPage(versionsExample(l))},
		{"page-scenario-version", page.VersionPage(versionExample(l))},
	}
}

var savedAt = time.Date(2026, 5, 3, 9, 30, 0, 0, time.UTC)

func versionsExample(l locale.Language) page.VersionsView {
	return page.VersionsView{
		ConsolePage: ConsoleFrame(l, layout.Scenarios, locale.VersionsIn(l).Title), ID: "visit", Name: "موعد <الزيارة>", May: true,
		Rows: []page.VersionRow{
			{Number: 2, At: savedAt, Who: "سارة <s>", Current: true},
			{Number: 1, At: savedAt.Add(-time.Hour)},
		},
	}
}

func versionExample(l locale.Language) page.VersionView {
	return page.VersionView{
		ConsolePage: ConsoleFrame(l, layout.Scenarios, "موعد"), ID: "visit", Name: "موعد <الزيارة>", May: true,
		VersionRow: page.VersionRow{Number: 2, At: savedAt, Who: "سارة <s>"}, Before: 1,
		Script: []page.DiffLine{
			{Skipped: 4},
			{Text: "سؤال (confirm)"},
			{Change: page.RemovedLine, Text: "قول: هل <تؤكد>؟"},
			{Change: page.AddedLine, Text: "قول: هل تؤكد الموعد؟"},
		},
		Source: []page.DiffLine{{Skipped: 1}, {Change: page.AddedLine, Text: `  "say": "هل تؤكد الموعد؟",`}},
	}
}

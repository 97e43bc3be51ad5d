package storybook

import (
	"time"

	"munadi/ui/locale"
	"munadi/ui/page"
	"munadi/ui/scenarios"
)

// scenarioPages are the pages around a scenario.
func scenarioPages(l locale.Language) []Exhibit {
	return []Exhibit{
		{"page-scenario-versions", page.VersionsPage(versionsExample(l))},
		{"page-scenario-version", page.VersionPage(versionExample(l))},
		{"page-scenario-editor", page.ScenarioEditorPage(editorExample(l))},
	}
}

var savedAt = time.Date(2026, 5, 3, 9, 30, 0, 0, time.UTC)

func versionsExample(l locale.Language) page.VersionsView {
	return page.VersionsView{
		ConsolePage: ConsoleFrame(l, "scenarios", scenarios.VersionsTitle.In(l)), ID: "visit", Name: "موعد <الزيارة>", May: true,
		Rows: []page.VersionRow{
			{Number: 2, At: savedAt, Who: "سارة <s>", Current: true},
			{Number: 1, At: savedAt.Add(-time.Hour)},
		},
	}
}

func versionExample(l locale.Language) page.VersionView {
	return page.VersionView{
		ConsolePage: ConsoleFrame(l, "scenarios", "موعد"), ID: "visit", Name: "موعد <الزيارة>", May: true,
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

// editorExample is a draft with a question that a branch follows, and a fault.
func editorExample(l locale.Language) page.ScenarioEditor {
	field := func(path, value string) page.FormField { return page.FormField{Path: path, Value: value} }
	list := func(path, value, name string) page.FormField {
		return page.FormField{Path: path, Value: value, Options: []page.ListChoice{{Value: value, Name: name, Chosen: true}}}
	}
	lines := func(path, text, fault string) page.FormLines {
		return page.FormLines{Path: path, Lines: []page.FormLine{
			{
				Text: page.FormField{Path: path + ".0", Value: text, Fault: fault}, Fixed: true,
				Optional: page.FormField{Path: path + ".0.optional"}, MayRecord: true, Recorded: true,
			},
			{Text: page.FormField{Path: path + ".1"}},
		}}
	}
	ask := page.FormStep{
		Kind: "ask", Title: "الحجم <؟>", Anchor: page.CardAnchor(0), ID: field("steps.0.id", "size"),
		Say: lines("steps.0.say", "أي <حجم> تريد؟", "لا <قيمة>."), Next: list("steps.0.next", "", "next"),
		OnFailure: list("steps.0.on_failure", "", "next"), Also: []page.FormField{list("steps.0.also", "drink", "المشروب")},
		Slots: []page.FormSlot{{
			Name: field("steps.0.slot.name", "size"), Type: list("steps.0.slot.type", "choice", "choice"),
			Choices: []page.FormOption{{Value: field("steps.0.slot.choices.0.value", "small"), Phrases: field("steps.0.slot.choices.0.phrases", "صغير")}},
		}},
	}
	ask.Say.Lines[0].Removable = true
	ask.Say.Lines[0].Recorder = &page.LineRecorder{Fault: scenarios.RecorderSilent.In(l), Longest: 120}
	branch := page.FormStep{
		Index: 1, Kind: "branch", Title: "branch", Anchor: page.CardAnchor(1), ID: field("steps.1.id", "branch"),
		Next:   list("steps.1.next", "", "next"),
		Cases:  []page.FormCase{{Slot: list("steps.1.cases.0.slot", "size", "الحجم"), Value: field("steps.1.cases.0.equals", "small")}},
		Faults: []page.FormFault{{Path: "steps.1", Message: "لا تصل <إليها>."}},
	}
	return page.ScenarioEditor{
		ConsolePage: ConsoleFrame(l, "scenarios", scenarios.EditTitle.In(l)), ID: "order", Name: "طلب <طعام>",
		Kind: page.OwnScenario, JSON: "{}", Stamp: "0f1e", Version: 2, Wrong: true,
		Faults: []page.ScenarioFault{{Field: "steps.0.say", Message: "must not be empty"}},
		Trial: &page.TypedTrial{
			On: true, Answers: []string{"say:نعم"}, Waiting: true, Asks: "الحجم", Phrases: []string{"صغير"},
			Turns:    []page.TrialTurn{{Text: "أي <حجم> تريد؟"}, {Customer: true, Text: "نعم <و>لا"}},
			Slots:    []page.CallAnswer{{Slot: "الحجم", Value: "صغير"}},
			Troubles: []string{"The answer to <size> was not understood."}, Fault: scenarios.TrialMendFirst.In(l),
			Over: scenarios.TrialOver.In(l), Status: "completed", Report: `{"size": "small"}`,
		},
		Form: &page.ScenarioForm{
			Name: field("name", "طلب <طعام>"), Steps: []page.FormStep{ask, branch}, Identify: lines("identify", "معكم <المطعم>", ""),
			Variables: []page.FormVariable{{Name: field("variables.0.name", "who"), Type: list("variables.0.type", "choice", "choice")}},
		},
	}
}

package storybook

import (
	"strconv"
	"time"

	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// scenarioPages are the pages around a scenario.
func scenarioPages(l locale.Language) []Exhibit {
	return []Exhibit{
		{"page-scenario-versions", scenarios.VersionsPage(versionsExample(l))},
		{"page-scenario-version", scenarios.VersionPage(versionExample(l))},
		{"page-scenario-talk", scenarios.TalkPage(talkExample(l))},
		{"page-scenario-editor", scenarios.ScenarioEditorPage(editorExample(l))},
		{"page-scenarios", scenarios.ScenariosPage(scenariosExample(l))},
		{"page-scenario-new", scenarios.NewScenarioPage(newScenarioExample(l))},
	}
}

var savedAt = time.Date(2026, 5, 3, 9, 30, 0, 0, time.UTC)

func versionsExample(l locale.Language) scenarios.VersionsView {
	return scenarios.VersionsView{
		ConsolePage: ConsoleFrame(l, "scenarios", scenarios.VersionsTitle.In(l)), ID: "visit", Name: "موعد <الزيارة>", May: true,
		Rows: []scenarios.VersionRow{
			{Number: 3, At: savedAt.Add(time.Hour), Who: "سارة <s>", Draft: true, Latest: true},
			{Number: 2, At: savedAt, Who: "سارة <s>", Current: true},
			{Number: 1, At: savedAt.Add(-time.Hour)},
		},
	}
}

func versionExample(l locale.Language) scenarios.VersionView {
	return scenarios.VersionView{
		ConsolePage: ConsoleFrame(l, "scenarios", "موعد"), ID: "visit", Name: "موعد <الزيارة>", May: true,
		VersionRow: scenarios.VersionRow{Number: 2, At: savedAt, Who: "سارة <s>"}, Before: 1,
		Difference: differenceExample(),
	}
}

// differenceExample has a part of each kind.
func differenceExample() scenarios.ScenarioDifference {
	return scenarios.ScenarioDifference{
		Parts: []scenarios.PartChange{
			{Title: "إعدادات <عامة>", Unseen: true},
			{Title: "سؤال · <التأكيد>", Moved: true, Unseen: true, Lines: []scenarios.DiffLine{
				{Skipped: 4},
				{Text: "سؤال (confirm)"},
				{Change: scenarios.RemovedLine, Text: "قول: هل <تؤكد>؟", Words: []scenarios.WordRun{{Text: "قول: هل "}, {Text: "<تؤكد>؟", Changed: true}}},
				{Change: scenarios.AddedLine, Text: "قول: هل تؤكد الموعد؟", Words: []scenarios.WordRun{{Text: "قول: هل "}, {Text: "تؤكد الموعد؟", Changed: true}}},
			}},
			{Title: "قول · <شكر>", Change: scenarios.AddedLine, Lines: []scenarios.DiffLine{{Change: scenarios.AddedLine, Text: "شكرًا"}}},
			{Title: "قول · <وداع>", Change: scenarios.RemovedLine, Lines: []scenarios.DiffLine{{Change: scenarios.RemovedLine, Text: "وداعًا"}}},
			{Title: "قول · <تحية>", Moved: true},
		},
		Source: []scenarios.DiffLine{{Skipped: 1}, {Change: scenarios.AddedLine, Text: `  "say": "هل تؤكد الموعد؟",`}},
	}
}

// talkExample is a draft that is tried by voice.
func talkExample(l locale.Language) scenarios.TalkView {
	return scenarios.TalkView{
		ConsolePage: ConsoleFrame(l, "scenarios", "طلب <طعام>"), Draft: true, Line: "/console/scenarios/order/talk/line",
		Plan: scenario.Scenario{ID: "order", Name: "طلب <طعام>", Steps: []scenario.FlowStep{
			{ID: "size", Type: scenario.Ask, Slot: &scenario.AnswerSlot{Name: "size", Label: scenario.Label{English: "Size <?>"}}},
			{ID: "bye", Type: scenario.End},
		}},
		Variables: []scenarios.ScenarioVariable{{
			Name: "who", Label: "الاسم <؟>", Field: calls.VariableField{ID: "f-try.var.who", Name: "try.var.who"},
		}},
	}
}

// mapExample is the map of a flow with figures.
func mapExample(plan scenario.Scenario, l locale.Language) scenarios.FlowMap {
	return scenarios.DrawMap(plan, l, scenarios.MapFacts{
		Href:    func(i int) string { return "#" + scenarios.CardAnchor(i) },
		Answers: map[string]map[string]int{"size": {"small": 1200, "null": 34}},
	})
}

// scenariosExample lists a scenario of each kind.
func scenariosExample(l locale.Language) scenarios.ScenariosView {
	one := scenario.Scenario{ID: "visit", Name: "موعد <الزيارة>", Description: "سطر\nline <2>", Steps: make([]scenario.FlowStep, 3)}
	draft, beside := one, one
	draft.Status, beside.Draft = scenario.DraftStatus, &draft
	return scenarios.ScenariosView{
		ConsolePage: ConsoleFrame(l, "scenarios", scenarios.Title.In(l)), May: true, Rows: []scenarios.ListedScenario{
			{Scenario: one, Kind: scenarios.BuiltInScenario},
			{Scenario: draft, Kind: scenarios.OwnScenario},
			{Scenario: beside, Kind: scenarios.ReplacedScenario},
		},
	}
}

// newScenarioExample is the form of a new scenario, whose id is in use.
func newScenarioExample(l locale.Language) scenarios.NewScenario {
	p := scenarios.NewScenario{
		ConsolePage: ConsoleFrame(l, "scenarios", scenarios.NewTitle.In(l)), Templates: scenarios.TemplateCards(l),
		Copied: []component.ListChoice{{}, {Value: "visit", Name: "موعد <الزيارة>"}},
	}
	p.ChooseFirst()
	return p
}

// editorExample is a draft with a question that a branch follows, and a fault.
func editorExample(l locale.Language) scenarios.ScenarioEditor {
	plan := scenario.Scenario{
		Name: "طلب <طعام>", Identify: scenario.SpokenLines{{Text: "معكم <المطعم>"}},
		Questions: []scenario.SideQuestion{{Phrases: []string{"وين <مكانكم>", "أين المطعم"}, Say: scenario.SpokenLines{{Text: "في حي النرجس"}}}},
		Variables: []scenario.ScenarioVariable{{Name: "who", Type: scenario.ChoiceVariable, Required: true}},
		Steps: []scenario.FlowStep{
			{
				ID: "size", Type: scenario.Ask, Label: scenario.Label{Arabic: "الحجم <؟>", English: "Size <?>"}, Confirm: true,
				Say: scenario.SpokenLines{{Text: "أي <حجم> تريد؟", Optional: true}}, Also: []string{"drink"},
				Slot: &scenario.AnswerSlot{Name: "size", Type: scenario.Choice, Choices: []scenario.ChoiceOption{
					{Value: "small", Phrases: []string{"صغير"}},
				}},
			},
			{ID: "branch", Type: scenario.Branch, Cases: []scenario.BranchCase{{Slot: "size", Equals: "small", Next: "gone"}}},
			{ID: "hand", Type: scenario.Transfer, To: "+966500000000"},
			{ID: "talk", Type: scenario.LLMStep, Prompt: "كن <لطيفًا>.", Slots: []scenario.AnswerSlot{{Name: "drink", Type: scenario.Text}}},
		},
		Tests: []scenario.ScenarioTest{{
			Name: "يريد <صغيرًا>", Says: []string{"صغير", "silent"},
			Expect: scenario.TestExpectation{Report: map[string]any{"size": "small"}, Steps: []string{"size"}, Said: []string{"أي حجم"}},
		}, {Name: "لا <ينتظر> شيئًا"}},
	}
	var voices scenarios.CallVoices
	shown := scenarios.BindEditor(form.NewBinder(l, nil, []form.Violation{
		{Path: "steps.0.say.0", Message: "لا <قيمة>."},
		{Path: "steps.1", Message: "لا تصل <إليها>."},
		{Path: "steps.0.max_reasks", Message: "1 … 5"},
	}), &plan, nil, []string{"ar_JO-kareem-medium"})
	line := &shown.Steps[0].LineLists[0].Lines.Lines[0]
	line.MayRecord, line.Recorded, line.Removable = true, true, true
	line.Voice, line.Voiced = scenarios.OwnVoice, true
	for i, kind := range []scenarios.LineVoice{
		scenarios.RecordedVoice, scenarios.JoinedVoice, scenarios.EndpointVoice, scenarios.RobotVoice, scenarios.NoVoice,
	} {
		voices.AddLine(kind, "سطر <"+strconv.Itoa(i)+">", true)
	}
	line.Recorder = &scenarios.LineRecorder{Fault: scenarios.RecorderSilent.In(l), Longest: 120}
	return scenarios.ScenarioEditor{
		ConsolePage: ConsoleFrame(l, "scenarios", scenarios.EditTitle.In(l)), ID: "order", Name: "طلب <طعام>",
		Kind: scenarios.OwnScenario, JSON: "{}", Stamp: "0f1e", Version: 2, Wrong: true,
		Faults: []scenarios.ScenarioFault{{Field: "steps.0.say", Message: "must not be empty"}},
		Trial: &scenarios.TypedTrial{
			On: true, Answers: []string{"say:نعم"}, Waiting: true, Asks: "الحجم", Phrases: []string{"صغير"},
			Turns:    []scenarios.TrialTurn{{Text: "أي <حجم> تريد؟"}, {Customer: true, Text: "نعم <و>لا"}},
			Slots:    []calls.CallAnswer{{Slot: "الحجم", Value: "صغير"}},
			Troubles: []string{"The answer to <size> was not understood."}, Fault: scenarios.TrialMendFirst.In(l),
			Over: scenarios.TrialOver.In(l), Status: "completed", Report: `{"size": "small"}`,
		},
		Review:  &scenarios.PublishReview{Stamp: "0f1e", Before: 1, Follows: true, Difference: differenceExample()},
		Unsaved: true, Undo: &scenarios.EditorUndo{Text: locale.FillSentence(scenarios.EditorStepGone.In(l), "name", "<تحية>"), Source: "{}"},
		Values: scenarios.ListLineValues(plan, l), Map: mapExample(plan, l), Voices: &voices,
		Form: &shown, Draft: &scenarios.DraftNote{Text: locale.FillSentence(scenarios.DraftBesideNote.In(l), "n", 1), Version: 2},
		Tests: &scenarios.TestSummary{
			Text: scenarios.TestsFailed.In(l).Fill(1) + " " + scenarios.TestsBlock.In(l), Bad: true, Blocks: true, May: true,
			Results: []scenarios.TestLine{
				{Name: "يريد <صغيرًا>", Run: true, Passed: true, Always: true},
				{Name: "يسكت", Run: true, Failures: []string{scenarios.TestFault(l, scenario.TestFailure{
					Part: scenario.ReportFailed, Property: "size", Expected: `"small"`, Got: "null",
				})}},
			},
		},
	}
}

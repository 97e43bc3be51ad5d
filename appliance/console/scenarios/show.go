package scenarios

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/scenario"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// showScenario shows one scenario as a script: its draft, if there is one.
func (s handlers) showScenario(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	return s.scenarioPage(c, http.StatusOK, found, s.tryForm(c, found.Latest()), nil)
}

// draftNote says of a draft what calls follow instead; nil for a published scenario.
func draftNote(found scenario.Scenario, l locale.Language) *scenarios.DraftNote {
	latest := found.Latest()
	switch {
	case latest.IsPublished():
		return nil
	case !found.IsPublished():
		return &scenarios.DraftNote{Text: scenarios.DraftOnlyNote.In(l)}
	case found.BuiltIn:
		return &scenarios.DraftNote{Text: scenarios.DraftBuiltInNote.In(l), Version: latest.Version}
	}
	text := locale.FillSentence(scenarios.DraftBesideNote.In(l), "n", found.Version)
	return &scenarios.DraftNote{Text: text, Version: latest.Version}
}

func (s handlers) scenarioPage(
	c echo.Context, status int, found scenario.Scenario, try *scenarios.TryScenario, run *scenario.TestRun,
) error {
	v := kit.RequestVisitor(c)
	kind, note := s.scenarioKind(found), draftNote(found, v.Lang)
	found = found.Latest()
	source, err := scenarioJSON(found)
	if err != nil {
		return err
	}
	found = kit.TranslateBuiltIn(found, v.Lang)
	p := scenarios.ScenarioView{
		ConsolePage: s.scenarioFrame(c, found.Name), May: v.User.Role.Allows(account.Operator),
		ID: found.ID, Name: found.Name, About: found.Description, Kind: kind, JSON: source, Try: try,
		Conduct: conductFacts(found, v.Lang), Draft: note, Tests: testLines(found.Tests, run, v.Lang),
	}
	p.Path = scenariosPath + "/" + found.ID
	for _, one := range found.Variables {
		p.Variables = append(p.Variables, scenarios.ScenarioVariable{
			Name: one.Name, Label: scenarios.LabelText(v.Lang, one.Label, one.Name), About: one.Description,
			Required: one.Required, Default: one.Default,
			Choices: booking.ChoiceNames(v.Lang, one),
		})
	}
	p.Steps, p.Identify = scriptView(found, v.Lang)
	p.Voices, p.Certain = s.callVoices(c, found), s.certainQuestions(c, found)
	p.Proposals = s.phraseProposals(c, found)
	p.Map = scenarios.DrawMap(found, v.Lang, s.mapFacts(c, found, func(i int) string {
		return "#" + scenarios.StepAnchor(found.Steps[i].ID)
	}))
	return kit.RenderPage(c, status, scenarios.ScenarioPage(p))
}

// conductFacts returns how calls of a scenario are conducted: retries, limits, calling hours.
func conductFacts(s scenario.Scenario, l locale.Language) []scenarios.ScenarioFact {
	retry := scenarios.ScenarioFact{Label: scenarios.Retry.In(l), Value: scenarios.Once.In(l)}
	if s.Retry != nil && s.Retry.MaxAttempts > 1 {
		retry.Value = scenarios.RetryText.In(l).Fill(s.Retry.MaxAttempts, "min", form.FormatNumbers(s.Retry.DelayMinutes))
	}
	facts := []scenarios.ScenarioFact{
		retry,
		{Label: scenarios.Longest.In(l), Value: formatWholeSeconds(l, s.MaxDuration())},
		{Label: scenarios.Ring.In(l), Value: formatWholeSeconds(l, s.RingTimeout())},
		{Label: scenarios.Machine.In(l), Value: scenarios.MachineName(l, string(s.MachinePolicyOrDefault()))},
	}
	if s.UpdateBookedCalls {
		facts = append(facts, scenarios.ScenarioFact{Label: scenarios.Booked.In(l), Value: scenarios.BookedFollow.In(l)})
	} else if !s.BuiltIn {
		facts = append(facts, scenarios.ScenarioFact{Label: scenarios.Booked.In(l), Value: scenarios.BookedKeep.In(l)})
	}
	for _, day := range formatHours(s.CallingHours, l) {
		facts = append(facts, scenarios.ScenarioFact{Label: scenarios.Hours.In(l), Value: day})
	}
	for _, phrase := range s.OptOutPhrases {
		facts = append(facts, scenarios.ScenarioFact{Label: scenarios.OptOut.In(l), Value: phrase})
	}
	for _, slot := range s.AllSlots() {
		label := scenarios.LabelText(l, slot.Label, slot.Name)
		facts = append(facts, scenarios.ScenarioFact{Label: scenarios.Reports.In(l), Value: label})
	}
	return facts
}

func formatWholeSeconds(l locale.Language, d time.Duration) string {
	return scenarios.Seconds.In(l).Fill(int(d.Seconds()))
}

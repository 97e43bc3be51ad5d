package console

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/store/account"
	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// showScenario shows one scenario as a script.
func (s *ConsoleService) showScenario(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	return s.scenarioPage(c, http.StatusOK, found, s.tryForm(c, found))
}

func (s *ConsoleService) scenarioPage(
	c echo.Context, status int, found scenario.Scenario, try *page.TryScenario,
) error {
	v := requestVisitor(c)
	source, err := scenarioJSON(found)
	if err != nil {
		return err
	}
	found = translateBuiltIn(found, v.Lang)
	p := page.ScenarioView{
		ConsolePage: s.scenarioFrame(c, found.Name), May: v.User.Role.Allows(account.Operator),
		ID: found.ID, Name: found.Name, About: found.Description, Kind: s.scenarioKind(found), JSON: source, Try: try,
		Conduct: conductFacts(found, v.Lang),
	}
	p.Path = scenariosPath + "/" + found.ID
	for _, one := range found.Variables {
		p.Variables = append(p.Variables, page.ScenarioVariable{
			Name: one.Name, Label: labelText(v.Lang, one.Label, one.Name), About: one.Description,
			Required: one.Required, Default: one.Default,
			Choices: choiceNames(v.Lang, one),
		})
	}
	p.Steps, p.Identify = scriptView(found, v.Lang)
	return renderPage(c, status, page.ScenarioPage(p))
}

// conductFacts returns how calls of a scenario are conducted: retries, limits, calling hours.
func conductFacts(s scenario.Scenario, l locale.Language) []page.ScenarioFact {
	w, days := locale.ScenariosIn(l), locale.RulesIn(l)
	retry := page.ScenarioFact{Label: w.Retry, Value: w.Once}
	if s.Retry != nil && s.Retry.MaxAttempts > 1 {
		retry.Value = w.RetryText.Fill(s.Retry.MaxAttempts, "min", formatDelays(s.Retry.DelayMinutes))
	}
	facts := []page.ScenarioFact{
		retry,
		{Label: w.Longest, Value: formatWholeSeconds(w, s.MaxDuration())},
		{Label: w.Ring, Value: formatWholeSeconds(w, s.RingTimeout())},
		{Label: w.Machine, Value: w.MachineName(string(s.MachinePolicyOrDefault()))},
	}
	for _, day := range formatHours(s.CallingHours, days) {
		facts = append(facts, page.ScenarioFact{Label: w.Hours, Value: day})
	}
	for _, phrase := range s.OptOutPhrases {
		facts = append(facts, page.ScenarioFact{Label: w.OptOut, Value: phrase})
	}
	for _, slot := range s.AllSlots() {
		facts = append(facts, page.ScenarioFact{Label: w.Reports, Value: labelText(l, slot.Label, slot.Name)})
	}
	return facts
}

func formatWholeSeconds(w locale.ScenariosWords, d time.Duration) string {
	return w.Seconds.Fill(int(d.Seconds()))
}

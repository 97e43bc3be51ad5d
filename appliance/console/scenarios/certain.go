package scenarios

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/certainty"
	"munadi/appliance/console/kit"
	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// shownWeeks is how many weeks of a question's answers the page shows.
const shownWeeks = 8

// certainQuestions returns what the calls say about the questions with a bound on wrong answers. A failure to read them
// does not hide the scenario: it is logged, and the card is left out.
func (s handlers) certainQuestions(c echo.Context, plan scenario.Scenario) []scenarios.CertainQuestion {
	if s.MeasureCertainty == nil || !certainty.HasBounds(plan) {
		return nil
	}
	v := kit.RequestVisitor(c)
	asked, err := s.MeasureCertainty(c.Request().Context(), v.Org.ID, plan, s.OrganizationZone(c))
	if err != nil {
		s.Log.Warn("the certainty of answers can't be shown", "scenario", plan.ID, "err", err)
		return nil
	}
	var shown []scenarios.CertainQuestion
	for _, q := range asked {
		shown = append(shown, certainQuestion(q, v.Lang))
	}
	return shown
}

// certainQuestion shows a question.
func certainQuestion(q certainty.Question, l locale.Language) scenarios.CertainQuestion {
	shown := scenarios.CertainQuestion{
		Label: scenarios.LabelText(l, q.Slot.Label, q.Slot.Name), MaxWrong: q.MaxWrong, Holds: q.Holds, Bound: q.Bound,
		Needed: q.Needed, Threshold: q.Threshold,
		All: scenarios.AnswerCounts(q.Counts),
	}
	for _, week := range q.Weeks[:min(len(q.Weeks), shownWeeks)] {
		shown.Weeks = append(shown.Weeks, scenarios.CertainWeek{
			Begin: week.Begin, AnswerCounts: scenarios.AnswerCounts(week.Counts), Holds: week.Holds, Bound: week.Bound,
		})
	}
	return shown
}

package scenarios

import (
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/scenarios"
)

// editorMap returns the map of a draft; its boxes lead to the cards of the form.
func (s handlers) editorMap(c echo.Context, plan, stored scenario.Scenario) scenarios.FlowMap {
	href := func(i int) string { return "#" + scenarios.CardAnchor(i) }
	return scenarios.DrawMap(plan, kit.RequestVisitor(c).Lang, s.mapFacts(c, stored, href))
}

// mapFacts returns what a map shows beside the flow: where a step is on the page, and what people answered in the calls
// that reports count. Without figures the map is shown nevertheless.
func (s handlers) mapFacts(c echo.Context, plan scenario.Scenario, href func(int) string) scenarios.MapFacts {
	facts := scenarios.MapFacts{Href: href}
	tallies, err := s.Store.TallyCalls(c.Request().Context(), kit.RequestVisitor(c).Org.ID, time.Time{}, time.Time{})
	if err != nil {
		s.Log.Warn("the answers of a scenario's calls could not be counted", "err", err)
		return facts
	}
	all := call.CallTally{}
	for _, one := range tallies {
		if one.ScenarioID == plan.ID {
			all.MergeTally(one)
		}
	}
	facts.Answers = map[string]map[string]int{}
	for property, values := range all.Answers {
		if slot, known := plan.ReportSlot(property); known {
			facts.Answers[slot.Name] = values
		}
	}
	return facts
}

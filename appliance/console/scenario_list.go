package console

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/store/org"
	"munadi/store/scenario"
	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

const scenariosPath = Root + "/scenarios"

// listScenarios shows the organization's own and the built-in ones that it has not replaced, by name.
func (s *Service) listScenarios(c echo.Context) error {
	v := visiting(c)
	all, err := s.scenariosSought(c)
	if err != nil {
		return err
	}
	all, list := paged(c, "/scenarios", all)
	p := page.Scenarios{
		List:        list,
		ConsolePage: s.flowsFrame(c, text.ScenariosIn(v.Lang).Title), May: v.User.Role.May(org.Operator),
	}
	for _, one := range all {
		p.Rows = append(p.Rows, page.ScenarioRow{
			ID: one.ID, Name: one.Name, Description: one.Description, Kind: s.kindOf(one), Steps: len(one.Steps),
		})
	}
	return show(c, http.StatusOK, page.ScenariosPage(p))
}

// scenariosSought are those that the search lets through.
func (s *Service) scenariosSought(c echo.Context) ([]scenario.Scenario, error) {
	all, err := s.scenariosOf(c.Request().Context(), visiting(c).Org.ID)
	slices.SortFunc(all, func(a, b scenario.Scenario) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return sought(c, all, func(one scenario.Scenario) []string {
		return []string{one.ID, one.Name, one.Description}
	}), err
}

// exportScenarios sends them as CSV.
func (s *Service) exportScenarios(c echo.Context) error {
	all, err := s.scenariosSought(c)
	if err != nil {
		return err
	}
	columns := []string{"id", "name", "description", "kind", "steps"}
	return sendCSV(c, "scenarios", columns, all, func(one scenario.Scenario) []string {
		return []string{one.ID, one.Name, one.Description, string(s.kindOf(one)), strconv.Itoa(len(one.Steps))}
	})
}

// flowsFrame is the frame of the scenarios' pages.
func (s *Service) flowsFrame(c echo.Context, title string) shell.ConsolePage {
	f := s.frame(c, shell.Scenarios, title)
	f.Styles = append(f.Styles, "css/console-flows.css")
	f.Module = "js/console-scenarios.js"
	return f
}

// kindOf says whose a scenario is.
func (s *Service) kindOf(one scenario.Scenario) page.ScenarioKind {
	_, builtIn := scenarioCalled(s.BuiltIn(), one.ID)
	switch {
	case one.BuiltIn:
		return page.BuiltInScenario
	case builtIn:
		return page.ReplacedScenario
	}
	return page.OwnScenario
}

// scenarioOf is the scenario that the path names.
func (s *Service) scenarioOf(c echo.Context) (scenario.Scenario, error) {
	return s.scenarioByID(c.Request().Context(), visiting(c).Org.ID, c.Param("scenario"))
}

func (s *Service) scenarioByID(ctx context.Context, orgID, id string) (scenario.Scenario, error) {
	all, err := s.scenariosOf(ctx, orgID)
	if err != nil {
		return scenario.Scenario{}, err
	}
	found, known := scenarioCalled(all, id)
	if !known {
		return found, gone("no such scenario")
	}
	return found, nil
}

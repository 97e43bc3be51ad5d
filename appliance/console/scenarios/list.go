package scenarios

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/scenario"
	"munadi/ui/layout"
	"munadi/ui/scenarios"
)

const scenariosPath = kit.Root + "/scenarios"

// listScenarios shows the organization's scenarios and the built-in ones that it has not replaced, by name.
func (s handlers) listScenarios(c echo.Context) error {
	v := kit.RequestVisitor(c)
	all, err := s.listedScenarios(c)
	if err != nil {
		return err
	}
	p := scenarios.ScenariosView{
		ConsolePage: s.scenarioFrame(c, scenarios.Title.In(v.Lang)), May: v.User.Role.Allows(account.Operator),
	}
	p.Rows, p.TableList = kit.PageRows(c, "/scenarios", scenarios.Table, all)
	return kit.RenderPage(c, http.StatusOK, scenarios.ScenariosPage(p))
}

// listedScenarios returns the scenarios by name.
func (s handlers) listedScenarios(c echo.Context) (listed []scenarios.ListedScenario, err error) {
	all, err := s.ListScenariosFor(c.Request().Context(), kit.RequestVisitor(c))
	slices.SortFunc(all, func(a, b scenario.Scenario) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	for _, one := range all {
		listed = append(listed, scenarios.ListedScenario{Scenario: one, Kind: s.scenarioKind(one)})
	}
	return listed, err
}

// exportScenarios exports the scenarios as CSV.
func (s handlers) exportScenarios(c echo.Context) error {
	all, err := s.listedScenarios(c)
	return kit.ExportRows(c, "scenarios", scenarios.Table, all, err)
}

// scenarioFrame returns the frame of the scenario pages.
func (s handlers) scenarioFrame(c echo.Context, title string) layout.ConsolePage {
	f := s.ConsoleFrame(c, title)
	f.Styles = append(f.Styles, "css/console-flows.css")
	f.Module = "js/console-scenarios.js"
	return f
}

// scenarioKind returns whether a scenario is built in, replaces a built-in one, or is the organization's own.
func (s handlers) scenarioKind(one scenario.Scenario) scenarios.ScenarioKind {
	_, builtIn := kit.FindScenario(s.UseCases.BuiltIn(), one.ID)
	switch {
	case one.Latest().BuiltIn:
		return scenarios.BuiltInScenario
	case builtIn:
		return scenarios.ReplacedScenario
	}
	return scenarios.OwnScenario
}

// requestScenario finds the scenario that the path names.
func (s handlers) requestScenario(c echo.Context) (scenario.Scenario, error) {
	return s.scenarioByID(c, c.Param("scenario"))
}

func (s handlers) scenarioByID(c echo.Context, id string) (scenario.Scenario, error) {
	found, known, err := s.UseCases.FindScenario(c.Request().Context(), kit.RequestVisitor(c).Org.ID, id)
	if err == nil && !known {
		err = kit.NewNotFoundError("no such scenario")
	}
	return found, err
}

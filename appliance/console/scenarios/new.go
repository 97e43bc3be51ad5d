package scenarios

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/scenario"
	"munadi/ui/scenarios"
)

// newScenario shows the form that copies a scenario.
func (s handlers) newScenario(c echo.Context) error {
	return s.newScenarioPage(c, http.StatusOK, scenarios.NewScenario{}, c.QueryParam("from"))
}

func (s handlers) newScenarioPage(c echo.Context, status int, p scenarios.NewScenario, from string) error {
	v := kit.RequestVisitor(c)
	all, err := s.ListScenariosFor(c.Request().Context(), v)
	if err != nil {
		return err
	}
	p.ConsolePage = s.scenarioFrame(c, scenarios.NewTitle.In(v.Lang))
	p.From = kit.ScenarioChoices(all, from)
	if copied, known := kit.FindScenario(all, from); known && p.ID == "" && p.Name == "" {
		p.Name, p.ID = copied.Name+" 2", unusedScenarioID(all, from)
	}
	return kit.RenderPage(c, status, scenarios.NewScenarioPage(p))
}

// unusedScenarioID returns an unused id derived from that of the copied scenario.
func unusedScenarioID(all []scenario.Scenario, id string) string {
	id = id[:min(len(id), 58)]
	for n := 2; ; n++ {
		free := id + "_" + strconv.Itoa(n)
		if _, taken := kit.FindScenario(all, free); !taken {
			return free
		}
	}
}

// createScenario copies a scenario and opens the editor.
func (s handlers) createScenario(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	p := scenarios.NewScenario{Name: strings.TrimSpace(c.FormValue("name")), ID: strings.TrimSpace(c.FormValue("id"))}
	plan, err := s.scenarioByID(c, c.FormValue("from"))
	if err != nil {
		return err
	}
	plan = plan.Latest()
	if plan.BuiltIn {
		plan.Tests = nil // they describe the template, which is about to be changed
	}
	plan.ID, plan.Name = p.ID, p.Name
	_, err = s.UseCases.CreateScenario(c.Request().Context(), kit.RequestCaller(c), plan)
	var broken *service.ViolationError
	switch {
	case store.CodeOf(err) == store.CodeConflict:
		p.Faults = map[string]string{"id": scenarios.IDTaken.In(l)}
	case errors.As(err, &broken):
		p.Faults = map[string]string{}
		for _, v := range broken.Violations {
			switch v.Field {
			case "id":
				p.Faults["id"] = scenarios.IDTaken.In(l)
			case "name":
				p.Faults["name"] = scenarios.NameEmpty.In(l)
			default: // the copied scenario violates a newer rule
				p.Faults["name"] = v.Field + " " + v.Message
			}
		}
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, scenarios.SaidMade.In(l))
		return kit.RedirectTo(c, scenariosPath+"/"+plan.ID+"/edit")
	}
	return s.newScenarioPage(c, http.StatusUnprocessableEntity, p, c.FormValue("from"))
}

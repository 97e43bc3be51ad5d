package console

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// newScenario shows the form that copies a scenario.
func (s *ConsoleService) newScenario(c echo.Context) error {
	return s.newScenarioPage(c, http.StatusOK, page.NewScenario{}, c.QueryParam("from"))
}

func (s *ConsoleService) newScenarioPage(c echo.Context, status int, p page.NewScenario, from string) error {
	v := requestVisitor(c)
	all, err := s.scenariosOf(c.Request().Context(), v.Org.ID)
	if err != nil {
		return err
	}
	p.ConsolePage = s.flowsFrame(c, locale.ScenariosIn(v.Lang).NewTitle)
	p.From = scenarioChoices(all, from)
	if copied, known := scenarioCalled(all, from); known && p.ID == "" && p.Name == "" {
		p.Name, p.ID = copied.Name+" 2", freeID(all, from)
	}
	return renderPage(c, status, page.NewScenarioPage(p))
}

// freeID returns an unused id similar to that of the copied scenario.
func freeID(all []scenario.Scenario, id string) string {
	id = id[:min(len(id), 58)]
	for n := 2; ; n++ {
		free := id + "_" + strconv.Itoa(n)
		if _, taken := scenarioCalled(all, free); !taken {
			return free
		}
	}
}

// createScenario copies a scenario and opens the editor.
func (s *ConsoleService) createScenario(c echo.Context) error {
	ctx, v := c.Request().Context(), requestVisitor(c)
	w := locale.ScenariosIn(v.Lang)
	p := page.NewScenario{Name: strings.TrimSpace(c.FormValue("name")), ID: strings.TrimSpace(c.FormValue("id"))}
	plan, err := s.scenarioByID(ctx, v.Org.ID, c.FormValue("from"))
	if err != nil {
		return err
	}
	now := s.Now().UTC()
	plan.ID, plan.Name, plan.OrgID, plan.BuiltIn, plan.CreatedAt, plan.UpdatedAt = p.ID, p.Name, v.Org.ID, false, now, now
	p.Faults = map[string]string{}
	for _, fault := range scenario.CheckScenario(ctx, plan) {
		switch fault.Field {
		case "id":
			p.Faults["id"] = w.IDTaken
		case "name":
			p.Faults["name"] = w.NameEmpty
		}
	}
	if _, err := s.scenarioByID(ctx, v.Org.ID, p.ID); err == nil {
		p.Faults["id"] = w.IDTaken
	}
	if len(p.Faults) == 0 {
		err = s.Store.CreateScenario(ctx, plan, v.auditActor(), now)
	}
	if store.CodeOf(err) == store.CodeConflict {
		p.Faults["id"] = w.IDTaken
	} else if err != nil {
		return err
	}
	if len(p.Faults) > 0 {
		return s.newScenarioPage(c, http.StatusUnprocessableEntity, p, c.FormValue("from"))
	}
	flashMessage(c, w.SaidMade)
	return redirectTo(c, scenariosPath+"/"+plan.ID+"/edit")
}

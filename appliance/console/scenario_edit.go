package console

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// editScenario shows the scenario editor.
func (s *ConsoleService) editScenario(c echo.Context) error {
	found, err := s.scenarioOf(c)
	if err != nil {
		return err
	}
	source, err := sourceOf(found)
	if err != nil {
		return err
	}
	return s.editPage(c, http.StatusOK, found, page.EditScenario{JSON: source})
}

func (s *ConsoleService) editPage(c echo.Context, status int, found scenario.Scenario, p page.EditScenario) error {
	p.ConsolePage = s.flowsFrame(c, locale.ScenariosIn(requestVisitor(c).Lang).EditTitle)
	p.Path = scenariosPath + "/" + found.ID + "/edit"
	p.ID, p.Name, p.Kind = found.ID, found.Name, s.kindOf(found)
	p.Wrong = p.Fault != "" || len(p.Faults) > 0
	return renderPage(c, status, page.EditScenarioPage(p))
}

// saveScenario validates and replaces a scenario; a built-in one is copied to the organization with the new content.
func (s *ConsoleService) saveScenario(c echo.Context) error {
	before, err := s.scenarioOf(c)
	if err != nil {
		return err
	}
	v, source := requestVisitor(c), strings.ReplaceAll(c.FormValue("json"), "\r\n", "\n")
	w := locale.ScenariosIn(v.Lang)
	plan, faults, err := scenario.DecodeScenario(c.Request().Context(), []byte(source))
	if err != nil {
		return s.editPage(c, http.StatusUnprocessableEntity, before, editUnreadable(source, err, w))
	}
	if len(faults) == 0 && plan.ID != before.ID {
		faults = []scenario.ScenarioViolation{{Field: "id", Message: w.KeepID}}
	}
	if len(faults) > 0 {
		return s.editPage(c, http.StatusUnprocessableEntity, before, page.EditScenario{
			JSON: source, Faults: locateFaults(source, faults),
		})
	}
	now := s.Now().UTC()
	plan.OrgID, plan.CreatedAt, plan.UpdatedAt = v.Org.ID, before.CreatedAt, now
	if before.BuiltIn {
		plan.CreatedAt = now
	}
	faults, warnings, err := s.checkSaved(c.Request().Context(), plan)
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return s.editPage(c, http.StatusUnprocessableEntity, before, page.EditScenario{
			JSON: source, Faults: locateFaults(source, faults),
		})
	}
	if err := s.Store.PutScenario(c.Request().Context(), plan, v.auditActor(), now); err != nil {
		return err
	}
	sayWarnings(c, warnings, w)
	return redirectTo(c, scenariosPath+"/"+plan.ID)
}

// sayWarnings sets the flash message that a scenario was saved, with the first line that no voice can speak.
func sayWarnings(c echo.Context, warnings []scenario.ScenarioViolation, w locale.ScenariosWords) {
	if len(warnings) == 0 {
		flashMessage(c, w.SaidSaved)
		return
	}
	flashProblem(c, w.SaidSaved+" "+strings.ReplaceAll(w.Unspoken, "{line}", quotedLine(warnings[0].Message)))
}

// editUnreadable returns the editor's view of text that is not a scenario.
func editUnreadable(source string, err error, w locale.ScenariosWords) page.EditScenario {
	p := page.EditScenario{JSON: source, Fault: w.NotJSON}
	if len(source) > scenario.MaxBytes {
		p.Fault = w.TooLong
		return p
	}
	line := 0
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line = 1 + strings.Count(source[:min(int(syntax.Offset), len(source))], "\n")
	}
	fault := faultAt(strings.Split(source, "\n"), line)
	fault.Message = err.Error()
	p.Faults = []page.ScenarioFault{fault}
	return p
}

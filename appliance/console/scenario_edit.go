package console

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
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
	source, w := strings.ReplaceAll(c.FormValue("json"), "\r\n", "\n"), locale.ScenariosIn(requestVisitor(c).Lang)
	plan, faults, err := scenario.DecodeScenario(c.Request().Context(), []byte(source))
	if err != nil {
		return s.editPage(c, http.StatusUnprocessableEntity, before, editUnreadable(source, err, w))
	}
	var found service.FieldViolations
	service.AddViolations(&found, faults)
	if len(found) == 0 && plan.ID != before.ID {
		found.AddViolation("id", "%s", w.KeepID)
	}
	if len(found) > 0 {
		return s.editAgain(c, before, source, found)
	}
	saved, err := s.UseCases.PutScenario(c.Request().Context(), requestCaller(c), plan)
	var broken *service.ViolationError
	if errors.As(err, &broken) {
		return s.editAgain(c, before, source, broken.Violations)
	}
	if err != nil {
		return err
	}
	sayWarnings(c, saved.Warnings, w)
	return redirectTo(c, scenariosPath+"/"+plan.ID)
}

// editAgain shows the editor with what is wrong with the source.
func (s *ConsoleService) editAgain(
	c echo.Context, before scenario.Scenario, source string, found service.FieldViolations,
) error {
	return s.editPage(c, http.StatusUnprocessableEntity, before, page.EditScenario{
		JSON: source, Faults: locateFaults(source, found),
	})
}

// sayWarnings sets the flash message that a scenario was saved, with the first line that no voice can speak.
func sayWarnings(c echo.Context, warnings service.FieldViolations, w locale.ScenariosWords) {
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

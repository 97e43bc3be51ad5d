package console

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// askDeleteScenario asks for confirmation before a scenario is deleted.
func (s *ConsoleService) askDeleteScenario(c echo.Context) error {
	found, err := s.scenarioOf(c)
	if err != nil {
		return err
	}
	kind := s.kindOf(found)
	if kind == page.BuiltInScenario {
		return newNotFoundError("a built-in scenario stays")
	}
	w := locale.ScenariosIn(requestVisitor(c).Lang)
	p := page.ConfirmView{ConsolePage: s.flowsFrame(c, w.DeleteTitle)}
	p.Question = component.AskQuestion{
		Title: w.DeleteTitle, Text: found.Name + ". " + w.DeleteText, Action: scenariosPath + "/" + found.ID + "/delete",
		CSRF: p.CSRF, Do: w.Delete, Danger: true, Back: scenariosPath + "/" + found.ID, Leave: w.Back,
	}
	if kind == page.ReplacedScenario {
		p.Question.Text = found.Name + ". " + w.DeleteReplaced
	}
	return renderPage(c, http.StatusOK, page.ConfirmPage(p))
}

// deleteScenario deletes a scenario of the organization; if it replaced a built-in one, the built-in one applies
// again.
func (s *ConsoleService) deleteScenario(c echo.Context) error {
	v := requestVisitor(c)
	err := s.Store.DeleteScenario(c.Request().Context(), v.Org.ID, c.Param("scenario"), v.auditActor(), s.Now().UTC())
	if err != nil {
		return err
	}
	flashMessage(c, locale.ScenariosIn(v.Lang).SaidDeleted)
	return redirectTo(c, scenariosPath)
}

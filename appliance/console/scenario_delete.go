package console

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// askDeleteScenario asks for confirmation before a scenario is deleted.
func (s *ConsoleService) askDeleteScenario(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	kind := s.scenarioKind(found)
	if kind == page.BuiltInScenario {
		return newNotFoundError("a built-in scenario cannot be deleted")
	}
	w := locale.ScenariosIn(requestVisitor(c).Lang)
	p := page.ConfirmView{ConsolePage: s.scenarioFrame(c, w.DeleteTitle)}
	p.Question = component.AskQuestion{
		Title: w.DeleteTitle, Text: found.Name + ". " + w.DeleteText, Action: scenariosPath + "/" + found.ID + "/delete",
		CSRF: p.CSRF, Do: w.Delete, Danger: true, Back: scenariosPath + "/" + found.ID, Leave: w.Back,
	}
	if kind == page.ReplacedScenario {
		p.Question.Text = found.Name + ". " + w.DeleteReplaced
	}
	return renderPage(c, http.StatusOK, page.ConfirmPage(p))
}

// deleteScenario deletes a scenario of the organization; a built-in one that it replaced applies again.
func (s *ConsoleService) deleteScenario(c echo.Context) error {
	err := s.UseCases.DeleteScenario(c.Request().Context(), requestCaller(c), c.Param("scenario"))
	if store.CodeOf(err) == store.CodeConflict {
		return newNotFoundError("a built-in scenario cannot be deleted")
	}
	if err != nil {
		return err
	}
	flashMessage(c, locale.ScenariosIn(requestVisitor(c).Lang).SaidDeleted)
	return redirectTo(c, scenariosPath)
}

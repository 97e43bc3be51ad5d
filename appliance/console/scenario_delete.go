package console

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/ui/page"
	"munadi/ui/part"
	"munadi/ui/text"
)

// askDeleteScenario asks before a scenario goes.
func (s *Service) askDeleteScenario(c echo.Context) error {
	found, err := s.scenarioOf(c)
	if err != nil {
		return err
	}
	kind := s.kindOf(found)
	if kind == page.BuiltInScenario {
		return gone("a built-in scenario stays")
	}
	w := text.ScenariosIn(visiting(c).Lang)
	p := page.Confirm{ConsolePage: s.flowsFrame(c, w.DeleteTitle)}
	p.Question = part.Question{
		Title: w.DeleteTitle, Text: found.Name + ". " + w.DeleteText, Action: scenariosPath + "/" + found.ID + "/delete",
		CSRF: p.CSRF, Do: w.Delete, Danger: true, Back: scenariosPath + "/" + found.ID, Leave: w.Back,
	}
	if kind == page.ReplacedScenario {
		p.Question.Text = found.Name + ". " + w.DeleteReplaced
	}
	return show(c, http.StatusOK, page.ConfirmPage(p))
}

// deleteScenario removes one of the organization's own; under a built-in one's id, that is there again.
func (s *Service) deleteScenario(c echo.Context) error {
	v := visiting(c)
	err := s.Store.DeleteScenario(c.Request().Context(), v.Org.ID, c.Param("scenario"), v.actor(), s.Now().UTC())
	if err != nil {
		return err
	}
	say(c, text.ScenariosIn(v.Lang).SaidDeleted)
	return see(c, scenariosPath)
}

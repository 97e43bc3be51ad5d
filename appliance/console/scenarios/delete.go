package scenarios

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/scenarios"
)

// askDeleteScenario asks for Confirmation before a scenario is deleted.
func (s handlers) askDeleteScenario(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	kind := s.scenarioKind(found)
	if kind == scenarios.BuiltInScenario {
		return kit.NewNotFoundError("a built-in scenario cannot be deleted")
	}
	l := kit.RequestVisitor(c).Lang
	q := component.AskQuestion{
		Title: scenarios.DeleteTitle.In(l), Text: found.Name + ". " + scenarios.DeleteText.In(l),
		Action: scenariosPath + "/" + found.ID + "/delete",
		Do:     scenarios.Delete.In(l), Danger: true, Back: scenariosPath + "/" + found.ID,
	}
	if kind == scenarios.ReplacedScenario {
		q.Text = found.Name + ". " + scenarios.DeleteReplaced.In(l)
	}
	return kit.RenderPage(c, http.StatusOK, layout.ConfirmPage(s.scenarioFrame(c, q.Title), q))
}

// deleteScenario deletes a scenario of the organization; a built-in one that it replaced applies again.
func (s handlers) deleteScenario(c echo.Context) error {
	err := s.UseCases.DeleteScenario(c.Request().Context(), kit.RequestCaller(c), c.Param("scenario"))
	if store.CodeOf(err) == store.CodeConflict {
		return kit.NewNotFoundError("a built-in scenario cannot be deleted")
	}
	return kit.RedirectAfter(c, err, scenariosPath, scenarios.SaidDeleted.In(kit.RequestVisitor(c).Lang))
}

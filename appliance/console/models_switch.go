package console

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/ui/locale"
	"munadi/ui/models"
	"munadi/ui/page"
)

// useModel switches the appliance to a model, without a restart.
func (s *ConsoleService) useModel(c echo.Context) error {
	v, name := requestVisitor(c), c.FormValue("name")
	err := s.Models.UseModel(c.Request().Context(), name, v.Org.ID, v.auditActor())
	if err != nil && describeModelError(err, v.Lang) == "" {
		s.Log.Error("a model was not opened", "model", name, "err", err)
		flashProblem(c, models.SaidNotOpened.In(v.Lang))
		return redirectTo(c, modelsAnchor)
	}
	if name == "" {
		name = models.BuiltIn.In(v.Lang)
	}
	return s.redirectToModels(c, err, locale.FillBlanks(models.SaidUsed.In(v.Lang), name))
}

// askRemoveModel asks for confirmation before a model is deleted.
func (s *ConsoleService) askRemoveModel(c echo.Context) error {
	title := models.Remove.In(requestVisitor(c).Lang)
	return renderPage(c, http.StatusOK, page.ModelRemovalPage(page.ModelRemoval{
		ConsolePage: s.consoleFrame(c, title), Name: c.QueryParam("name"),
	}))
}

// removeModel deletes an installed model.
func (s *ConsoleService) removeModel(c echo.Context) error {
	v, name := requestVisitor(c), c.FormValue("name")
	err := s.Models.RemoveModel(c.Request().Context(), name, v.Org.ID, v.auditActor())
	return s.redirectToModels(c, err, locale.FillBlanks(models.SaidRemoved.In(v.Lang), name))
}

package system

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/models"
)

// useModel switches the appliance to a model, without a restart.
func (s handlers) useModel(c echo.Context) error {
	v, name := kit.RequestVisitor(c), c.FormValue("name")
	err := s.Models.UseModel(c.Request().Context(), name, v.Org.ID, v.AuditActor())
	if err != nil && describeModelError(err, v.Lang) == "" {
		s.Log.Error("a model was not opened", "model", name, "err", err)
		return kit.RedirectProblem(c, modelsAnchor, models.SaidNotOpened.In(v.Lang))
	}
	if name == "" {
		name = models.BuiltIn.In(v.Lang)
	}
	return s.redirectToModels(c, err, locale.FillBlanks(models.SaidUsed.In(v.Lang), name))
}

// askRemoveModel asks for confirmation before a model is deleted.
func (s handlers) askRemoveModel(c echo.Context) error {
	l, name := kit.RequestVisitor(c).Lang, c.QueryParam("name")
	return s.AskQuestion(c, component.AskQuestion{
		Title: locale.FillBlanks(models.RemoveTitle.In(l), name), Text: models.RemoveText.In(l),
		Action: modelsPath + "/remove", Name: "name", Value: name,
		Do: models.Remove.In(l), Danger: true, Back: modelsAnchor,
	})
}

// removeModel deletes an installed model.
func (s handlers) removeModel(c echo.Context) error {
	v, name := kit.RequestVisitor(c), c.FormValue("name")
	err := s.Models.RemoveModel(c.Request().Context(), name, v.Org.ID, v.AuditActor())
	return s.redirectToModels(c, err, locale.FillBlanks(models.SaidRemoved.In(v.Lang), name))
}

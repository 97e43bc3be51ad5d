package system

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/models/modeljob"
	"munadi/ui/form"
	"munadi/ui/models"
)

// uploadModel receives a checkpoint from the browser and starts its installation. The page's script asks for JSON with
// the next page.
func (s handlers) uploadModel(c echo.Context) error {
	v := kit.RequestVisitor(c)
	streamed, _ := c.Get(kit.UploadKey).(*kit.StreamedForm)
	err := error(modeljob.ErrNoPath)
	if streamed != nil && streamed.File != nil && streamed.File.FileName() != "" {
		err = s.installUpload(c, streamed, v)
	}
	if !strings.HasPrefix(c.Request().Header.Get(echo.HeaderAccept), echo.MIMEApplicationJSON) {
		return s.redirectToModels(c, err, models.SaidBegun.In(v.Lang))
	}
	if sentence := describeModelError(err, v.Lang); sentence != "" {
		kit.FlashProblem(c, sentence)
	} else if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]string{"next": modelsAnchor})
}

func (s handlers) installUpload(c echo.Context, streamed *kit.StreamedForm, v kit.Visitor) error {
	ctx := c.Request().Context()
	path, err := s.Models.ReceiveUpload(modeljob.Upload{
		FileName: streamed.File.FileName(), Size: max(c.Request().ContentLength, 0), Content: streamed.File,
	})
	if err != nil {
		return err
	}
	return s.Models.StartInstall(ctx, modeljob.InstallRequest{
		Path: path, Upload: true,
		AnyLanguage: models.ReadInstallation(form.NewBinder(v.Lang, streamed.Values(), nil)).AnyLanguage,
		OrgID:       v.Org.ID, Actor: v.AuditActor(),
	})
}

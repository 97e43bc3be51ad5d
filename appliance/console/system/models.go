package system

import (
	"context"
	"errors"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/modelhub"
	"munadi/appliance/models/modeljob"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/models"
)

// The speech models are part of the system page.
const (
	systemPath   = kit.Root + "/system"
	modelsPath   = systemPath + "/models"
	modelsAnchor = systemPath + "#models"
)

// SpeechModels installs speech models and switches between them.
type SpeechModels interface {
	DescribeModels() modeljob.ModelOverview
	StartInstall(ctx context.Context, r modeljob.InstallRequest) error
	QuantizeModel(ctx context.Context, name, orgID, actor string) error
	CancelInstall(ctx context.Context, orgID, actor string) error
	ResumeInstall(ctx context.Context, orgID, actor string) error
	ForgetJob(ctx context.Context, orgID, actor string) error
	UseModel(ctx context.Context, name, orgID, actor string) error
	RemoveModel(ctx context.Context, name, orgID, actor string) error
	CompareModels(ctx context.Context, name string, samples []float32) (*modeljob.ModelComparison, error)
	ReceiveUpload(u modeljob.Upload) (path string, err error)
}

// watchModels streams the progress of installations (SSE); all governors share one topic.
func (s handlers) watchModels(c echo.Context) error {
	return s.ServeTopic(c, s.ModelTopic)
}

// recommendedModel returns the first of the models known to work.
func recommendedModel() modelhub.KnownModel { return modelhub.KnownModels()[0] }

// OfferPath returns the path of the page that offers the recommended model.
func OfferPath() string { return modelsPath + "/offer?model=" + recommendedModel().Name }

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

// hubTimeout bounds requests to the hub while a page waits for them.
const hubTimeout = 25 * time.Second

// offerModel looks a model up on the hub and shows its size, licence and model card.
func (s handlers) offerModel(c echo.Context) error {
	l, o := kit.RequestVisitor(c).Lang, s.Models.DescribeModels()
	p := models.OfferView{
		ConsolePage: s.ConsoleFrame(c, models.OfferTitle.In(l)), Asked: c.QueryParam("model"), Hub: o.Hub,
		Busy: o.Job != nil && o.Job.Phase.IsActive(),
	}
	name, revision, err := modelhub.ParseName(p.Asked)
	if err != nil {
		p.Fault, p.Detail = describeInstallFault(modeljob.KindOf(err), err.Error(), p.Lang)
		return kit.RenderPage(c, http.StatusUnprocessableEntity, models.OfferPage(p))
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), hubTimeout)
	defer cancel()
	found, err := s.FindModel(ctx, name, revision)
	var unreachable *modelhub.UnreachableError
	if p.Offline = errors.As(err, &unreachable); p.Offline {
		p.Fault = models.Offline.In(l)
		return kit.RenderPage(c, http.StatusOK, models.OfferPage(p)) // the page explains how to install without a hub
	}
	if err != nil {
		p.Fault, p.Detail = describeInstallFault(modeljob.KindOf(err), err.Error(), p.Lang)
		return kit.RenderPage(c, http.StatusUnprocessableEntity, models.OfferPage(p))
	}
	describeOffer(&p, found)
	return kit.RenderPage(c, http.StatusOK, models.OfferPage(p))
}

// describeOffer fills a page with the hub's description of a model, and published error rates.
func describeOffer(p *models.OfferView, m *modelhub.Model) {
	p.Model, p.Revision, p.License, p.Card = m.Name, m.Revision, m.License, m.Card
	p.Size, p.Name = kit.FormatSize(m.Size()), path.Base(m.Name)
	for _, f := range m.Files {
		p.Files = append(p.Files, component.FactLine{Name: f.Name, Value: kit.FormatSize(f.Size)})
	}
	for _, k := range modelhub.KnownModels() {
		if k.Name == m.Name {
			p.Rates, p.English = rateLines(k, p.Lang), !slices.Contains(k.Languages, "ar")
		}
	}
}

// installModel starts the installation of a model of the hub.
func (s handlers) installModel(c echo.Context) error {
	typed := models.ReadInstallation(kit.BindSent(c))
	return s.startInstall(c, typed, modeljob.InstallRequest{Model: typed.Model, Name: typed.Name})
}

// importModel starts the installation of a model on this machine.
func (s handlers) importModel(c echo.Context) error {
	typed := models.ReadInstallation(kit.BindSent(c))
	if typed.Path == "" {
		return s.redirectToModels(c, modeljob.ErrNoPath, "")
	}
	return s.startInstall(c, typed, modeljob.InstallRequest{Path: typed.Path, Name: typed.Name})
}

// startInstall starts an installation with the options of the form.
func (s handlers) startInstall(c echo.Context, typed models.Installation, r modeljob.InstallRequest) error {
	v := kit.RequestVisitor(c)
	r.AnyLanguage, r.Int8, r.Use = typed.AnyLanguage, typed.Int8, typed.Use
	r.OrgID, r.Actor = v.Org.ID, v.AuditActor()
	return s.redirectToModels(c, s.Models.StartInstall(c.Request().Context(), r), models.SaidBegun.In(v.Lang))
}

// quantizeModel starts the conversion of an installed model to 8-bit weights.
func (s handlers) quantizeModel(c echo.Context) error {
	v := kit.RequestVisitor(c)
	err := s.Models.QuantizeModel(c.Request().Context(), c.FormValue("name"), v.Org.ID, v.AuditActor())
	return s.redirectToModels(c, err, models.SaidBegun.In(v.Lang))
}

// cancelModel stops the installation.
func (s handlers) cancelModel(c echo.Context) error {
	v := kit.RequestVisitor(c)
	err := s.Models.CancelInstall(c.Request().Context(), v.Org.ID, v.AuditActor())
	return s.redirectToModels(c, err, models.SaidCancelled.In(v.Lang))
}

// resumeModel continues an installation that failed or was cancelled.
func (s handlers) resumeModel(c echo.Context) error {
	v := kit.RequestVisitor(c)
	err := s.Models.ResumeInstall(c.Request().Context(), v.Org.ID, v.AuditActor())
	return s.redirectToModels(c, err, models.SaidBegun.In(v.Lang))
}

// forgetModelJob removes the record of an ended installation and its downloads.
func (s handlers) forgetModelJob(c echo.Context) error {
	v := kit.RequestVisitor(c)
	return s.redirectToModels(c, s.Models.ForgetJob(c.Request().Context(), v.Org.ID, v.AuditActor()), "")
}

// redirectToModels redirects to the models with the result of an action as a flash message.
func (s handlers) redirectToModels(c echo.Context, err error, said string) error {
	switch sentence := describeModelError(err, kit.RequestVisitor(c).Lang); {
	case sentence != "":
		kit.FlashProblem(c, sentence)
	case err != nil:
		return err
	case said != "":
		kit.FlashMessage(c, said)
	}
	return kit.RedirectTo(c, modelsAnchor)
}

// describeModelError returns the sentence for an error that the visitor can resolve; empty for others.
func describeModelError(err error, l locale.Language) string {
	var memory *modeljob.MemoryFault
	var disk *modeljob.DiskFault
	var hub *modelhub.FaultError
	switch {
	case errors.As(err, &hub):
		sentence, _ := describeInstallFault(modeljob.KindOf(err), err.Error(), l)
		return sentence
	case errors.Is(err, modeljob.ErrBusy):
		return models.Busy.In(l)
	case errors.Is(err, modeljob.ErrNoJob):
		return models.Gone.In(l)
	case errors.Is(err, modeljob.ErrFixed):
		return models.Fixed.In(l)
	case errors.Is(err, modeljob.ErrNoModel):
		return models.NoModel.In(l)
	case errors.Is(err, modeljob.ErrNoPath):
		return models.NoPath.In(l)
	case errors.Is(err, modeljob.ErrName):
		return models.NameTaken.In(l)
	case errors.Is(err, modeljob.ErrInUse):
		return models.InUse.In(l)
	case errors.As(err, &memory), errors.As(err, &disk):
		return locale.ModelFault(l, err.Error())
	}
	return ""
}

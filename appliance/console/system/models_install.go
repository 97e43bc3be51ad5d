package system

import (
	"context"
	"errors"
	"net/http"
	"path"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/modelhub"
	"munadi/appliance/models/modeljob"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/models"
)

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

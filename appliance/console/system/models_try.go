package system

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/models/modeljob"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/ui/locale"
	"munadi/ui/models"
)

// maxTrialLength is the longest recording for a comparison of two models.
const maxTrialLength = time.Minute

// showModelTrial shows the page that compares a model with the serving one.
func (s handlers) showModelTrial(c echo.Context) error {
	return s.modelTrialPage(c, http.StatusOK, models.TrialView{Name: c.QueryParam("name")})
}

// tryModel transcribes a recording with the serving model and another one. The recording is not stored.
func (s handlers) tryModel(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	p := models.TrialView{Name: c.FormValue("name")}
	head, err := c.FormFile("file")
	if err != nil || head.Size == 0 {
		p.Fault = models.NoSound.In(l)
		return s.modelTrialPage(c, http.StatusUnprocessableEntity, p)
	}
	file, err := head.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	v := kit.RequestVisitor(c)
	ctx := engine.WithClient(c.Request().Context(), engine.ClientID{Organization: v.Org.ID, Key: v.User.ID})
	found, err := s.compareModels(ctx, p.Name, file)
	if p.Fault = describeTrialError(err, v.Lang); p.Fault != "" {
		return s.modelTrialPage(c, http.StatusUnprocessableEntity, p)
	}
	if err != nil {
		return err
	}
	p.Result = comparisonView(found)
	return s.modelTrialPage(c, http.StatusOK, p)
}

func (s handlers) compareModels(
	ctx context.Context, name string, file io.ReadSeeker,
) (found *modeljob.ModelComparison, err error) {
	src, err := s.OpenSound(ctx, file, maxTrialLength, audio.MixChannels)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	samples, err := modeljob.ReadSamples(src)
	if err != nil {
		return nil, err
	}
	return s.Models.CompareModels(ctx, name, samples)
}

// describeTrialError returns the sentence for an error that the visitor can correct; empty for others.
func describeTrialError(err error, l locale.Language) string {
	var bad *audio.DecodeError
	var busy *engine.ErrBusy
	switch {
	case errors.As(err, &bad) && bad.Code == audio.CodeTooLong:
		return models.LongSound.In(l)
	case errors.As(err, &bad):
		return models.BadSound.In(l)
	case errors.As(err, &busy):
		return busy.Error()
	}
	return describeModelError(err, l)
}

func comparisonView(c *modeljob.ModelComparison) *models.Heard {
	line := func(h modeljob.ComparedText) models.HeardLine {
		return models.HeardLine{Model: h.Model, Text: h.Text, Took: formatSeconds(h.Took.Seconds())}
	}
	return &models.Heard{Seconds: formatSeconds(c.Seconds), Serving: line(c.Serving), Other: line(c.Other)}
}

func formatSeconds(s float64) string { return strconv.FormatFloat(s, 'f', 2, 64) + " s" }

func (s handlers) modelTrialPage(c echo.Context, status int, p models.TrialView) error {
	p.ConsolePage = s.ConsoleFrame(c, models.TrialTitle.In(kit.RequestVisitor(c).Lang))
	for _, m := range s.Models.DescribeModels().Installed {
		p.InUse = p.InUse || m.InUse && m.Name == p.Name
	}
	return kit.RenderPage(c, status, models.TrialPage(p))
}

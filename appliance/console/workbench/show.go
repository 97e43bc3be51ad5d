package workbench

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/store/account"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/workbench"
)

// DebugDecoder is the recognizer of the workbench, as of POST /debug/decode.
type DebugDecoder interface {
	DebugDecode(ctx context.Context, src engine.SampleSource, p engine.DebugParams) (*engine.DebugResult, error)
}

const (
	workbenchPath  = kit.Root + "/workbench"
	maxSoundLength = 2 * time.Minute // limit of a readable chart
)

// showWorkbench shows the form, and the decoded sample that the URL names.
func (s handlers) showWorkbench(c echo.Context) error {
	params, knobs, query, valid := readParameters(c.QueryParams(), kit.RequestVisitor(c).Lang)
	if channels := c.QueryParam("channels"); parseChannel(channels) != audio.MixChannels {
		query.Set("channels", channels)
	}
	p := workbench.View{Knobs: knobs}
	name := validSample(c.QueryParam("sample"))
	if name == "" {
		return s.workbenchPage(c, http.StatusOK, p)
	}
	data, err := fs.ReadFile(s.Samples, "samples/"+name+".flac")
	if err != nil {
		return err
	}
	if valid {
		query.Set("sample", name)
		p.Share = strings.TrimSuffix(s.PublicURL(), "/") + workbenchPath + "?" + query.Encode()
		p.Audio = s.Assets + "/samples/" + name + ".flac"
	}
	return s.decodedPage(c, p, bytes.NewReader(data), params, valid)
}

// decodeOnWorkbench decodes an uploaded file, or redirects to the URL of a sample.
func (s handlers) decodeOnWorkbench(c echo.Context) error {
	form := kit.SentForm(c)
	l := kit.RequestVisitor(c).Lang
	params, knobs, query, valid := readParameters(form, l)
	head, err := c.FormFile("file")
	if use := form.Get("use"); use == "sample" || use == "" && err != nil {
		if !valid {
			return s.decodedPage(c, workbench.View{Knobs: knobs}, nil, params, false)
		}
		query.Set("sample", form.Get("sample"))
		if channels := form.Get("channels"); parseChannel(channels) != audio.MixChannels {
			query.Set("channels", channels)
		}
		return kit.RedirectTo(c, workbenchPath+"?"+query.Encode())
	}
	p := workbench.View{Knobs: knobs}
	if err != nil || head.Size == 0 {
		p.Fault = locale.KitNoFile.In(l)
		return s.workbenchPage(c, http.StatusUnprocessableEntity, p)
	}
	file, err := head.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	return s.decodedPage(c, p, file, params, valid)
}

// parseChannel parses a form's channel choice; an unknown one is the mix.
func parseChannel(name string) audio.ChannelChoice {
	switch name {
	case "left":
		return audio.LeftChannel
	case "right":
		return audio.RightChannel
	}
	return audio.MixChannels
}

// channelChoices returns the channel choices, with the requested one selected.
func channelChoices(c echo.Context, l locale.Language) []component.ListChoice {
	all := []component.ListChoice{
		{Value: "mix", Name: workbench.MixChannels.In(l)},
		{Value: "left", Name: workbench.LeftChannel.In(l)},
		{Value: "right", Name: workbench.RightChannel.In(l)},
	}
	all[parseChannel(c.FormValue("channels"))].Chosen = true
	return all
}

// validSample returns the name of a bundled sample; empty for an unknown one.
func validSample(name string) string {
	for _, one := range locale.AllSamples() {
		if sampleName(one) == name {
			return name
		}
	}
	return ""
}

func sampleName(s locale.SampleWords) string {
	return strings.TrimSuffix(path.Base(s.File), path.Ext(s.File))
}

func (s handlers) workbenchPage(c echo.Context, status int, p workbench.View) error {
	v := kit.RequestVisitor(c)
	p.ConsolePage = s.ConsoleFrame(c, workbench.Title.In(v.Lang))
	p.Styles = append(p.Styles, "css/console-player.css", "css/console-workbench.css")
	p.Module = "js/console-players.js"
	p.May = v.User.Role.Allows(account.Operator)
	p.Channels = channelChoices(c, v.Lang)
	for _, one := range locale.AllSamples() {
		name := sampleName(one)
		p.Samples = append(
			p.Samples, component.ListChoice{Value: name, Name: one.Caption, Chosen: c.FormValue("sample") == name},
		)
	}
	return kit.RenderPage(c, status, workbench.Page(p))
}

// decodedPage decodes audio and shows the result; with invalid parameters it decodes nothing (422).
func (s handlers) decodedPage(
	c echo.Context, p workbench.View, sound io.ReadSeeker, params engine.DebugParams, valid bool,
) error {
	l := kit.RequestVisitor(c).Lang
	if !valid {
		p.Fault = workbench.BadKnobs.In(l)
		return s.workbenchPage(c, http.StatusUnprocessableEntity, p)
	}
	shape := &waveformTee{}
	v := kit.RequestVisitor(c)
	ctx := engine.WithClient(c.Request().Context(), engine.ClientID{Organization: v.Org.ID, Key: v.User.ID})
	result, err := s.decodeSound(ctx, sound, parseChannel(c.FormValue("channels")), shape, params)
	var status int
	if status, p.Fault = decodingFault(err, l); p.Fault != "" {
		if status == http.StatusServiceUnavailable {
			c.Response().Header().Set(echo.HeaderRetryAfter, "2")
		}
		p.Share = ""
		return s.workbenchPage(c, status, p)
	}
	if err != nil {
		return err
	}
	view := decodedView(result, shape.peaks)
	p.Result = &view
	return s.workbenchPage(c, http.StatusOK, p)
}

// decodeSound opens an audio file and decodes one of its channels or their mix, while shape computes its waveform.
func (s handlers) decodeSound(
	ctx context.Context, sound io.ReadSeeker, channel audio.ChannelChoice, shape *waveformTee, params engine.DebugParams,
) (r *engine.DebugResult, err error) {
	src, err := s.OpenSound(ctx, sound, maxSoundLength, channel)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	shape.SampleSource = src
	return s.Decoder.DebugDecode(ctx, shape, params)
}

// decodingFault returns the status and sentence of an error that the user can correct.
func decodingFault(err error, l locale.Language) (status int, sentence string) {
	var bad *audio.DecodeError
	var busy *engine.ErrBusy
	switch {
	case errors.As(err, &bad) && bad.Code == audio.CodeTooLong:
		return http.StatusUnprocessableEntity, workbench.TooLong.In(l)
	case errors.As(err, &bad) && bad.Code == audio.CodeChannel:
		return http.StatusUnprocessableEntity, workbench.NoChannel.In(l)
	case errors.As(err, &bad):
		return http.StatusUnprocessableEntity, workbench.BadSound.In(l)
	case errors.As(err, &busy):
		return http.StatusServiceUnavailable, workbench.Busy.In(l)
	}
	return http.StatusOK, ""
}

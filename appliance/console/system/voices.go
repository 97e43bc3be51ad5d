package system

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/modelhub"
	"munadi/appliance/models/modelinstall"
	"munadi/appliance/models/voiceinstall"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/models"
	"munadi/ui/voices"
)

const (
	voicesPath   = systemPath + "/voices"
	voicesAnchor = systemPath + "#voices"
)

// NeuralVoices installs neural voices and switches between them.
type NeuralVoices interface {
	ListVoices() []voiceinstall.InstalledVoice
	ImportVoice(ctx context.Context, path, license string, who voiceinstall.Actor) (string, error)
	UseVoice(ctx context.Context, name string, who voiceinstall.Actor) error
	RemoveVoice(ctx context.Context, name string, who voiceinstall.Actor) error
	FindVoice(ctx context.Context, asked string) (*modelhub.Model, error)
	PullVoice(ctx context.Context, asked string, who voiceinstall.Actor) error
	CurrentPull() *voiceinstall.VoicePull
	CancelPull()
	ForgetPull()
}

// voicesCardView returns the part of the system page about neural voices; nil where there are none. A voice that was
// asked for and not found stays in its field.
func (s handlers) voicesCardView(l locale.Language, asked string, imported []form.Field) *voices.CardView {
	if s.Voices == nil {
		return nil
	}
	none := voices.VoiceRow{InUse: true}
	card := &voices.CardView{Installed: []voices.VoiceRow{none}, Asked: asked, Import: imported}
	for _, v := range s.Voices.ListVoices() {
		card.Installed[0].InUse = card.Installed[0].InUse && !v.InUse
		row := voices.VoiceRow{
			Name: v.Name, Language: models.LanguageName(l, v.Report.Language), License: v.Report.License,
			InUse: v.InUse,
		}
		if v.Fault != nil {
			row.Fault = v.Fault.Error()
		}
		if row.License == "" {
			row.License = voices.NoLicense.In(l)
		}
		if v.Report.Trial.Took > 0 {
			row.Speed = locale.FillBlanks(voices.SpeedLine.In(l), strconv.FormatFloat(v.Report.Trial.Speed(), 'f', 1, 64))
		}
		card.Installed = append(card.Installed, row)
	}
	for _, k := range modelhub.KnownVoices() {
		card.Known = append(card.Known, k.Name)
	}
	if v := s.Voices.CurrentPull(); v != nil {
		card.Pull = &voices.PullView{
			Asked: v.Asked, Name: v.Name, Phase: string(v.Phase), Active: v.Phase.IsActive(), Fault: v.Fault,
			Done: kit.FormatSize(v.Done), Size: kit.FormatSize(v.Size), Percent: int(100 * v.Done / max(v.Size, 1)),
		}
	}
	return card
}

// voiceActor returns who asks, for the audit log.
func voiceActor(c echo.Context) voiceinstall.Actor {
	v := kit.RequestVisitor(c)
	return voiceinstall.Actor{OrgID: v.Org.ID, Name: v.AuditActor()}
}

// importVoice installs a voice of this machine. What was typed stays beside why it was not.
func (s handlers) importVoice(c echo.Context) error {
	l, typed := kit.RequestVisitor(c).Lang, voices.ImportedVoice{}
	voices.BindImport(kit.BindSent(c), &typed)
	name, err := s.Voices.ImportVoice(c.Request().Context(), typed.Path, typed.License, voiceActor(c))
	if fault := describeVoiceFault(err, l); fault != "" {
		b := form.NewBinder(l, nil, []form.Violation{{Path: voices.PathField, Message: fault}})
		return s.systemPage(c, http.StatusUnprocessableEntity, voices.BindImport(b, &typed))
	}
	return redirectToVoices(c, err, locale.FillBlanks(voices.SaidInstalled.In(l), name))
}

// offerVoice looks a voice up on the hub and shows its size and licence before it is downloaded.
func (s handlers) offerVoice(c echo.Context) error {
	l, asked := kit.RequestVisitor(c).Lang, strings.TrimSpace(c.QueryParam("voice"))
	ctx, cancel := context.WithTimeout(c.Request().Context(), hubTimeout)
	defer cancel()
	found, err := s.Voices.FindVoice(ctx, asked)
	if fault := describeVoiceFault(err, l); fault != "" {
		return kit.RedirectProblem(c, kit.BuildURL(systemPath, "voice", asked)+"#voices", fault)
	}
	if err != nil {
		return err
	}
	license := found.License
	if license == "" {
		license = voices.NoLicense.In(l)
	}
	return s.AskQuestion(c, component.AskQuestion{
		Title: locale.FillBlanks(voices.PullTitle.In(l), kit.IsolateText(asked)),
		Text: locale.FillSentence(voices.PullText.In(l), "size", kit.FormatSize(found.Size()),
			"license", kit.IsolateText(license),
			"from", kit.IsolateText(found.Name+"@"+found.Revision)),
		Action: voicesPath + "/pull", Name: "voice", Value: asked, Do: voices.Pull.In(l), Back: voicesAnchor,
	})
}

// pullVoice begins or resumes the download of a voice.
func (s handlers) pullVoice(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), hubTimeout)
	defer cancel()
	err := s.Voices.PullVoice(ctx, c.FormValue("voice"), voiceActor(c))
	return redirectToVoices(c, err, voices.SaidPulling.In(kit.RequestVisitor(c).Lang))
}

// cancelVoice stops the download.
func (s handlers) cancelVoice(c echo.Context) error {
	s.Voices.CancelPull()
	return redirectToVoices(c, nil, voices.SaidCancelled.In(kit.RequestVisitor(c).Lang))
}

// forgetVoicePull removes an ended download from the page.
func (s handlers) forgetVoicePull(c echo.Context) error {
	s.Voices.ForgetPull()
	return kit.RedirectTo(c, voicesAnchor)
}

// useVoice lets a voice speak in calls that name none.
func (s handlers) useVoice(c echo.Context) error {
	l, name := kit.RequestVisitor(c).Lang, c.FormValue("name")
	err := s.Voices.UseVoice(c.Request().Context(), name, voiceActor(c))
	if name == "" {
		name = voices.None.In(l)
	}
	return redirectToVoices(c, err, locale.FillBlanks(voices.SaidUsed.In(l), name))
}

// askRemoveVoice asks for confirmation before a voice is removed.
func (s handlers) askRemoveVoice(c echo.Context) error {
	l, name := kit.RequestVisitor(c).Lang, c.QueryParam("name")
	return s.AskQuestion(c, component.AskQuestion{
		Title: locale.FillBlanks(voices.RemoveTitle.In(l), name), Text: voices.RemoveText.In(l),
		Action: voicesPath + "/remove", Name: "name", Value: name,
		Do: voices.Remove.In(l), Danger: true, Back: voicesAnchor,
	})
}

// removeVoice removes an installed voice.
func (s handlers) removeVoice(c echo.Context) error {
	l, name := kit.RequestVisitor(c).Lang, c.FormValue("name")
	err := s.Voices.RemoveVoice(c.Request().Context(), name, voiceActor(c))
	return redirectToVoices(c, err, locale.FillBlanks(voices.SaidRemoved.In(l), name))
}

// redirectToVoices redirects to the voices with the result of an action as a flash message.
func redirectToVoices(c echo.Context, err error, said string) error {
	switch fault := describeVoiceFault(err, kit.RequestVisitor(c).Lang); {
	case err == nil:
		kit.FlashMessage(c, said)
	case fault == "":
		return err
	default:
		kit.FlashProblem(c, fault)
	}
	return kit.RedirectTo(c, voicesAnchor)
}

// describeVoiceFault returns the sentence for an error about voices; empty without one, and for any other.
func describeVoiceFault(err error, l locale.Language) string {
	var fault *modelinstall.FaultError
	var hub *modelhub.FaultError
	var away *modelhub.UnreachableError
	switch {
	case errors.Is(err, voiceinstall.ErrNoVoice):
		return voices.NoVoice.In(l)
	case errors.Is(err, voiceinstall.ErrNoPath):
		return voices.NoPath.In(l)
	case errors.Is(err, voiceinstall.ErrInUse):
		return voices.InUse.In(l)
	case errors.Is(err, voiceinstall.ErrDamaged):
		return voices.NotUsed.In(l)
	case errors.Is(err, voiceinstall.ErrBusy):
		return voices.PullBusy.In(l)
	case errors.As(err, &away):
		return voices.HubAway.In(l)
	case errors.As(err, &fault), errors.As(err, &hub):
		return locale.FillBlanks(voices.NotInstalled.In(l), kit.IsolateText(err.Error()))
	}
	return ""
}

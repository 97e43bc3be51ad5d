package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/subtitle"
	"munadi/engine/mic"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/blob"
	"munadi/store/live"
	uilive "munadi/ui/live"
)

// startLive starts a session of a microphone of this machine and shows it.
func (s handlers) startLive(c echo.Context) error {
	v := kit.RequestVisitor(c)
	device := formDevice(c)
	l, err := s.Sessions.StartSession(c.Request().Context(), v.Org.ID, v.AuditActor(), device, s.formLatency(c))
	switch {
	case err == nil:
		if err := s.AddAudit(c, "live.start", l.ID, device); err != nil {
			return errors.Join(err, s.Sessions.StopSession(c.Request().Context(), l.OrgID, l.ID)) // nothing runs unaudited
		}
		return kit.RedirectTo(c, livePath+"/"+l.ID)
	case errors.Is(err, mic.ErrNoSoundSystem), errors.Is(err, mic.ErrNoDevice):
		kit.FlashProblem(c, uilive.NoMicrophone.In(v.Lang))
	case store.CodeOf(err) == store.CodeConflict:
		kit.FlashProblem(c, uilive.Taken.In(v.Lang))
	default:
		s.Log.Error("a microphone was not opened", "device", device, "err", err)
		kit.FlashProblem(c, uilive.NotOpened.In(v.Lang))
	}
	return kit.RedirectTo(c, livePath)
}

// stopLive ends a session of this machine's microphone.
func (s handlers) stopLive(c echo.Context) error {
	l, err := s.requestLive(c)
	if err != nil {
		return err
	}
	if err := s.Sessions.StopSession(c.Request().Context(), l.OrgID, l.ID); err != nil {
		return err
	}
	if err := s.AddAudit(c, "live.stop", l.ID, ""); err != nil {
		return err
	}
	return kit.RedirectTo(c, livePath+"/"+l.ID)
}

// showLive shows a session: live while it runs, with a player afterwards.
func (s handlers) showLive(c echo.Context) error {
	l, err := s.requestLive(c)
	if err != nil {
		return err
	}
	v := kit.RequestVisitor(c)
	p := uilive.SessionView{
		ConsolePage: s.liveFrame(c), LiveSession: l, Here: s.Sessions.IsRunning(l.ID),
		May: v.User.Role.Allows(account.Operator), Zone: s.OrganizationZone(c),
	}
	p.Module = "js/console-live.js"
	f, err := s.Sessions.OpenSound(c.Request().Context(), l)
	if err == nil {
		p.Sound = true
		_ = f.Close() // only its existence and its content are checked
	}
	p.SoundDamaged = errors.Is(err, blob.ErrDamaged)
	return kit.RenderPage(c, http.StatusOK, uilive.SessionPage(p))
}

// serveLiveRecording serves a session's recording with Range support.
func (s handlers) serveLiveRecording(c echo.Context) error {
	l, err := s.requestLive(c)
	if err != nil {
		return err
	}
	f, err := s.Sessions.OpenSound(c.Request().Context(), l)
	if isNotFound(err) {
		return store.Errorf(store.CodeNotFound, "the session has no recording")
	}
	if err != nil {
		return err
	}
	defer f.Close()
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "audio/wav")
	h.Set(echo.HeaderCacheControl, "private, no-store")
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, f)
	return nil
}

// downloadLiveTranscript sends the transcript as a file.
func (s handlers) downloadLiveTranscript(c echo.Context) error {
	l, err := s.requestLive(c)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	var cues []subtitle.SubtitleCue
	for _, g := range l.Segments {
		cues = append(cues, subtitle.SubtitleCue{Start: g.Start, End: g.End, Text: g.Text})
	}
	kind := "text/plain; charset=utf-8"
	switch format := c.Param("format"); format {
	case "txt":
		for _, g := range l.Segments {
			b.WriteString(g.Text + "\n")
		}
	case "srt":
		kind, err = "application/x-subrip; charset=utf-8", subtitle.WriteSRT(&b, cues)
	case "vtt":
		kind, err = "text/vtt; charset=utf-8", subtitle.WriteVTT(&b, cues)
	case "json":
		kind, err = echo.MIMEApplicationJSON, writeLiveJSON(&b, l)
	default:
		return store.Errorf(store.CodeNotFound, "no such format")
	}
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="live-`+l.ID+`.`+c.Param("format")+`"`)
	return c.Blob(http.StatusOK, kind, b.Bytes())
}

func writeLiveJSON(b *bytes.Buffer, l live.LiveSession) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		live.LiveSession
		Text string `json:"text"`
	}{l, l.FullText()})
}

// askDeleteLive asks for confirmation before a session is deleted.
func (s handlers) askDeleteLive(c echo.Context) error {
	l, err := s.requestLive(c)
	if err != nil {
		return err
	}
	return kit.RenderPage(c, http.StatusOK, uilive.DeletePage(uilive.DeleteView{ConsolePage: s.liveFrame(c), ID: l.ID}))
}

// deleteLive deletes an ended session: its recording first, so that none is left without its record.
func (s handlers) deleteLive(c echo.Context) error {
	l, err := s.requestLive(c)
	if err != nil {
		return err
	}
	v := kit.RequestVisitor(c)
	if l.EndedAt == nil {
		return kit.RedirectProblem(c, livePath+"/"+l.ID, uilive.StillOn.In(v.Lang))
	}
	if err := s.Sessions.RemoveSound(l.OrgID, l.ID); err != nil {
		return err
	}
	err = s.Store.DeleteLive(c.Request().Context(), l.OrgID, l.ID, v.AuditActor(), s.Now().UTC())
	return kit.RedirectAfter(c, err, livePath, uilive.Deleted.In(v.Lang))
}

package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/caption"
	"munadi/engine/mic"
	"munadi/store"
	"munadi/store/live"
	"munadi/store/org"
	"munadi/ui/page"
	"munadi/ui/text"
)

// startLive listens to a microphone of this machine and shows the session.
func (s *Service) startLive(c echo.Context) error {
	v := visiting(c)
	device := deviceOf(c)
	l, err := s.Live.Start(c.Request().Context(), v.Org.ID, v.actor(), device)
	w := text.LiveIn(v.Lang)
	switch {
	case err == nil:
		if err := s.note(c, "live.start", l.ID, device); err != nil {
			return err
		}
		return see(c, livePath+"/"+l.ID)
	case errors.Is(err, mic.ErrNoSoundSystem), errors.Is(err, mic.ErrNoDevice):
		complain(c, w.NoMicrophone)
	case store.CodeOf(err) == store.CodeConflict:
		complain(c, w.Taken)
	default:
		s.Log.Error("a microphone was not opened", "device", device, "err", err)
		complain(c, w.NotOpened)
	}
	return see(c, livePath)
}

// stopLive ends a session of this machine's microphone.
func (s *Service) stopLive(c echo.Context) error {
	v := visiting(c)
	if err := s.Live.Stop(c.Request().Context(), v.Org.ID, c.Param("id")); err != nil {
		return err
	}
	if err := s.note(c, "live.stop", c.Param("id"), ""); err != nil {
		return err
	}
	return see(c, livePath+"/"+c.Param("id"))
}

// showLive shows a session: while it runs what is heard, afterwards the record with its player.
func (s *Service) showLive(c echo.Context) error {
	l, err := s.liveOf(c)
	if err != nil {
		return err
	}
	v := visiting(c)
	p := page.LiveSession{ConsolePage: s.liveFrame(c), Row: s.liveRow(l), May: v.User.Role.May(org.Operator)}
	p.Module = "js/console-live.js"
	if p.Zone, err = s.liveZone(c.Request().Context(), v.Org.ID); err != nil {
		return err
	}
	for _, g := range l.Segments {
		p.Segments = append(p.Segments, page.LiveSegment{Start: g.Start, End: g.End, Text: g.Text})
	}
	if f, err := s.Live.Sound(l.OrgID, l.ID); err == nil {
		p.Sound = true
		_ = f.Close() // it was only looked for
	}
	return show(c, http.StatusOK, page.LiveSessionPage(p))
}

// liveSound sends what was heard; parts of it too.
func (s *Service) liveSound(c echo.Context) error {
	l, err := s.liveOf(c)
	if err != nil {
		return err
	}
	f, err := s.Live.Sound(l.OrgID, l.ID)
	if missing(err) {
		return store.Errorf(store.CodeNotFound, "no sound is kept of this session")
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

// liveTranscript sends the text as a file.
func (s *Service) liveTranscript(c echo.Context) error {
	l, err := s.liveOf(c)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	var cues []caption.Cue
	for _, g := range l.Segments {
		cues = append(cues, caption.Cue{Start: g.Start, End: g.End, Text: g.Text})
	}
	kind := "text/plain; charset=utf-8"
	switch format := c.Param("format"); format {
	case "txt":
		for _, g := range l.Segments {
			b.WriteString(g.Text + "\n")
		}
	case "srt":
		kind, err = "application/x-subrip; charset=utf-8", caption.WriteSRT(&b, cues)
	case "vtt":
		kind, err = "text/vtt; charset=utf-8", caption.WriteVTT(&b, cues)
	case "json":
		kind, err = echo.MIMEApplicationJSON, writeLive(&b, l)
	default:
		return store.Errorf(store.CodeNotFound, "no such format")
	}
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="live-`+l.ID+`.`+c.Param("format")+`"`)
	return c.Blob(http.StatusOK, kind, b.Bytes())
}

func writeLive(b *bytes.Buffer, l live.Session) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		live.Session
		Text string `json:"text"`
	}{l, l.Text()})
}

// askDeleteLive asks before a session is forgotten.
func (s *Service) askDeleteLive(c echo.Context) error {
	l, err := s.liveOf(c)
	if err != nil {
		return err
	}
	return show(c, http.StatusOK, page.DeleteLivePage(page.DeleteLive{ConsolePage: s.liveFrame(c), ID: l.ID}))
}

// deleteLive forgets a session that is over: its sound first, so that none is left without its record.
func (s *Service) deleteLive(c echo.Context) error {
	l, err := s.liveOf(c)
	if err != nil {
		return err
	}
	v := visiting(c)
	if l.EndedAt == nil {
		complain(c, text.LiveIn(v.Lang).StillOn)
		return see(c, livePath+"/"+l.ID)
	}
	if err := s.Live.Forget(l.OrgID, l.ID); err != nil {
		return err
	}
	if err := s.Store.DeleteLive(c.Request().Context(), l.OrgID, l.ID, v.actor(), s.Now().UTC()); err != nil {
		return err
	}
	say(c, text.LiveIn(v.Lang).Deleted)
	return see(c, livePath)
}

package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
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

const livePath = kit.Root + "/live"

// MicrophoneSessions runs live sessions of microphones; *live.LiveService is one.
type MicrophoneSessions interface {
	// StartSession starts a session of a microphone of this machine; an empty device is the default one. latency is one
	// that the model offers; 0 is the default.
	StartSession(ctx context.Context, orgID, by, device string, latency time.Duration) (live.LiveSession, error)
	StopSession(ctx context.Context, orgID, id string) error
	IsRunning(id string) bool
	// IssueToken issues a one-time token for a realtime session of a browser, and the id of that session, which ends when
	// access reports false.
	IssueToken(orgID, by, device string, access auth.AccessCheck) (token, id string, err error)
	// OpenSound opens a session's recording; fs.ErrNotExist without one, blob.ErrDamaged if it is not the one that was
	// written. RemoveSound removes it.
	OpenSound(ctx context.Context, l live.LiveSession) (blob.RecordingFile, error)
	RemoveSound(orgID, id string) error
}

// requestLive finds the session that the path names.
func (s handlers) requestLive(c echo.Context) (live.LiveSession, error) {
	return s.Store.LiveSession(c.Request().Context(), kit.RequestVisitor(c).Org.ID, c.Param("id"))
}

// issueLiveToken issues a one-time token of the realtime protocol for the page.
func (s handlers) issueLiveToken(c echo.Context) error {
	v := kit.RequestVisitor(c)
	device := formDevice(c)
	token, id, err := s.Sessions.IssueToken(v.Org.ID, v.AuditActor(), device, s.AccessCheck(c))
	if err != nil {
		return err
	}
	if err := s.AddAudit(c, "live.start", id, device); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]string{"token": token, "id": id, "page": livePath + "/" + id})
}

// maxDeviceName is the longest name of a microphone, in bytes.
const maxDeviceName = 200

// formDevice returns the microphone that the form names, truncated to [maxDeviceName].
func formDevice(c echo.Context) string {
	device := c.FormValue("device")
	return strings.ToValidUTF8(device[:min(len(device), maxDeviceName)], "")
}

// formLatency returns the form's latency of live transcription; 0, the default, for one that the model does not offer.
func (s handlers) formLatency(c echo.Context) time.Duration {
	ms, err := strconv.Atoi(c.FormValue("latency"))
	chosen := time.Duration(ms) * time.Millisecond
	if err != nil || s.Latencies == nil || !slices.Contains(s.Latencies(), chosen) {
		return 0
	}
	return chosen
}

// watchLive streams a session's events to its page (SSE).
func (s handlers) watchLive(c echo.Context) error {
	found, err := s.requestLive(c)
	if err != nil {
		return err
	}
	return s.StreamEvents(c, "live/"+found.ID, found.EndedAt != nil)
}

// isNotFound reports whether a file or record does not exist.
func isNotFound(err error) bool {
	return errors.Is(err, os.ErrNotExist) || store.CodeOf(err) == store.CodeNotFound
}

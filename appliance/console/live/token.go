package live

import (
	"context"
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
	"munadi/store"
	"munadi/store/blob"
	"munadi/store/live"
)

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

package console

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
	"munadi/store"
	"munadi/store/blob"
	"munadi/store/live"
)

const livePath = Root + "/live"

// MicrophoneSessions runs live sessions of microphones; *live.LiveService is one.
type MicrophoneSessions interface {
	// StartSession starts a session of a microphone of this machine; "" is the default one. The latency is one that the
	// model offers; 0 is its usual one.
	StartSession(ctx context.Context, orgID, by, device string, latency time.Duration) (live.LiveSession, error)
	StopSession(ctx context.Context, orgID, id string) error
	IsRunning(id string) bool
	// IssueToken issues a one-time token for a realtime session of a browser, and the id that the session will have.
	// The session ends when alive reports false.
	IssueToken(orgID, by, device string, alive auth.AccessCheck) (token, id string, err error)
	// OpenSound opens a session's recording; fs.ErrNotExist without one. RemoveSound removes it.
	OpenSound(ctx context.Context, orgID, id string) (blob.RecordingFile, error)
	RemoveSound(orgID, id string) error
}

// mountLive adds the routes of live transcription.
func (s *ConsoleService) mountLive(g routeGroups) {
	g.look.GET("/live", s.listLive)
	g.look.GET("/live.csv", s.exportLive)
	g.act.POST("/live/start", s.startLive)
	g.act.POST("/live/token", s.admitLive)
	g.look.GET("/live/:id", s.showLive)
	g.look.GET("/live/:id/events", s.watchLive)
	g.look.GET("/live/:id/sound", s.liveSound)
	g.look.GET("/live/:id/transcript/:format", s.liveTranscript)
	g.act.POST("/live/:id/stop", s.stopLive)
	g.act.GET("/live/:id/delete", s.askDeleteLive)
	g.act.POST("/live/:id/delete", s.deleteLive)
}

// liveOf finds the session that the path names.
func (s *ConsoleService) liveOf(c echo.Context) (live.LiveSession, error) {
	return s.Store.LiveSession(c.Request().Context(), requestVisitor(c).Org.ID, c.Param("id"))
}

// admitLive issues the page a token for the realtime protocol.
func (s *ConsoleService) admitLive(c echo.Context) error {
	v := requestVisitor(c)
	device := deviceOf(c)
	token, id, err := s.Live.IssueToken(v.Org.ID, v.auditActor(), device, s.accessCheck(c))
	if err != nil {
		return err
	}
	if err := s.addAudit(c, "live.start", id, device); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]string{"token": token, "id": id, "page": livePath + "/" + id})
}

// maxDevice is the longest name of a microphone, in bytes.
const maxDevice = 200

// deviceOf returns the microphone that the form names, truncated to maxDevice.
func deviceOf(c echo.Context) string {
	device := c.FormValue("device")
	return strings.ToValidUTF8(device[:min(len(device), maxDevice)], "")
}

// chosenLatency returns the form's latency of live text; 0, the model's usual one, without a choice that it offers.
func (s *ConsoleService) chosenLatency(c echo.Context) time.Duration {
	ms, err := strconv.Atoi(c.FormValue("latency"))
	chosen := time.Duration(ms) * time.Millisecond
	if err != nil || s.LiveLatencies == nil || !slices.Contains(s.LiveLatencies(), chosen) {
		return 0
	}
	return chosen
}

// watchLive streams a session's events to its page (SSE).
func (s *ConsoleService) watchLive(c echo.Context) error {
	found, err := s.liveOf(c)
	if err != nil {
		return err
	}
	return s.streamEvents(c, "live/"+found.ID, found.EndedAt != nil)
}

// isNotFound reports whether err means that a file or record does not exist.
func isNotFound(err error) bool {
	return errors.Is(err, os.ErrNotExist) || store.CodeOf(err) == store.CodeNotFound
}

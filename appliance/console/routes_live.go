package console

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/live"
)

const livePath = Root + "/live"

// Live keeps sessions of microphones; *live.Service is one.
type Live interface {
	// Start listens to a microphone of this machine; "" is the default one.
	Start(ctx context.Context, orgID, by, device string) (live.Session, error)
	Stop(ctx context.Context, orgID, id string) error
	On(id string) bool
	// Admit makes a token for one realtime session of a browser, and the id that the session will have. The session ends
	// when alive says no.
	Admit(orgID, by, device string, alive auth.Alive) (token, id string, err error)
	// Sound opens what was heard; fs.ErrNotExist without it. Forget removes it.
	Sound(orgID, id string) (*os.File, error)
	Forget(orgID, id string) error
}

// mountLive adds live transcription.
func (s *Service) mountLive(g groups) {
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

// liveOf is the session that the path names.
func (s *Service) liveOf(c echo.Context) (live.Session, error) {
	return s.Store.LiveSession(c.Request().Context(), visiting(c).Org.ID, c.Param("id"))
}

// admitLive gives the page a token for the realtime protocol.
func (s *Service) admitLive(c echo.Context) error {
	v := visiting(c)
	device := deviceOf(c)
	token, id, err := s.Live.Admit(v.Org.ID, v.actor(), device, s.access(c))
	if err != nil {
		return err
	}
	if err := s.note(c, "live.start", id, device); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]string{"token": token, "id": id, "page": livePath + "/" + id})
}

// maxDevice bounds a microphone's name, in bytes.
const maxDevice = 200

// deviceOf is the microphone that the form names, cut to what is kept of a name.
func deviceOf(c echo.Context) string {
	device := c.FormValue("device")
	return strings.ToValidUTF8(device[:min(len(device), maxDevice)], "")
}

// watchLive tells a session's page what is heard.
func (s *Service) watchLive(c echo.Context) error {
	found, err := s.liveOf(c)
	if err != nil {
		return err
	}
	return s.watch(c, "live/"+found.ID, found.EndedAt != nil)
}

// missing says that there is no such thing.
func missing(err error) bool {
	return errors.Is(err, os.ErrNotExist) || store.CodeOf(err) == store.CodeNotFound
}

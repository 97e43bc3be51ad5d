package health

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

type status struct {
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

// Mount adds the three probes to e, for GET and HEAD. None needs a credential.
func (s *State) Mount(e *echo.Echo) {
	for path, probe := range map[string]echo.HandlerFunc{"/health": s.health, "/livez": s.livez, "/readyz": s.readyz} {
		e.Match([]string{http.MethodGet, http.MethodHead}, path, probe)
	}
}

func (s *State) health(c echo.Context) error {
	ok, message := s.Decodes()
	if !ok {
		return c.JSON(http.StatusServiceUnavailable, status{"error", message})
	}
	return c.JSON(http.StatusOK, status{"ok", message})
}

func (*State) livez(c echo.Context) error {
	return c.JSON(http.StatusOK, status{Status: "alive"})
}

func (s *State) readyz(c echo.Context) error {
	code, phase := http.StatusOK, s.Phase()
	if phase != Ready {
		code = http.StatusServiceUnavailable
	}
	return c.JSON(code, status{Status: string(phase)})
}

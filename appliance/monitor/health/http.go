package health

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

type statusBody struct {
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

// MountProbes adds /health, /livez and /readyz to e, for GET and HEAD, without authentication.
func (s *HealthState) MountProbes(e *echo.Echo) {
	probes := map[string]echo.HandlerFunc{"/health": s.getHealth, "/livez": s.getLivez, "/readyz": s.getReadyz}
	for path, probe := range probes {
		e.Match([]string{http.MethodGet, http.MethodHead}, path, probe)
	}
}

func (s *HealthState) getHealth(c echo.Context) error {
	ok, message := s.CanDecode()
	if !ok {
		return c.JSON(http.StatusServiceUnavailable, statusBody{"error", message})
	}
	return c.JSON(http.StatusOK, statusBody{"ok", message})
}

func (*HealthState) getLivez(c echo.Context) error {
	return c.JSON(http.StatusOK, statusBody{Status: "alive"})
}

func (s *HealthState) getReadyz(c echo.Context) error {
	code, phase := http.StatusOK, s.Phase()
	if phase != Ready {
		code = http.StatusServiceUnavailable
	}
	return c.JSON(code, statusBody{Status: string(phase)})
}

package stt

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/monitor/health"
	"munadi/appliance/stt/realtime"
)

// openLive creates the service of the realtime protocol.
func (s *TranscriptionService) openLive() *realtime.RealtimeService {
	limits := s.Limits.Realtime
	if limits == (realtime.SessionLimits{}) {
		limits = realtime.DefaultLimits()
	}
	return realtime.NewService(realtime.Dependencies{
		Room: s.LiveRoom, OpenStream: s.OpenStream, Transcribe: s.Recognizer.Transcribe, Admit: s.admitLive,
		Observer: s.Observer, Country: s.Country, Languages: s.languages, HasLanguage: s.HasLanguage,
		Spool: s.Spool, Log: s.Log,
		Draining: func() bool { return s.Health.Phase() == health.Draining }, Limits: limits,
	})
}

// admitLive authenticates by subprotocol or Authorization header. A token issued to the console's page is accepted from
// any origin, since behind a proxy the appliance may not know its own; a key is not.
func (s *TranscriptionService) admitLive(c echo.Context, key string) (auth.Principal, error) {
	ctx := c.Request().Context()
	if s.Token != nil && key != "" {
		if who, ok := s.Token(ctx, key); ok {
			return who, s.checkReady()
		}
	}
	if s.AllowSocket != nil && !s.AllowSocket(c.Request()) {
		return auth.Principal{}, &middleware.HTTPProblem{
			Status: http.StatusForbidden,
			Detail: "Pages of this origin may not connect; the setting cors-origins lists those that may",
		}
	}
	if key != "" {
		c.Request().Header.Set(echo.HeaderAuthorization, "Bearer "+key)
	}
	var who auth.Principal
	err := s.admitWork(func(c echo.Context) error {
		who = requestPrincipal(c)
		return nil
	})(c)
	return who, err
}

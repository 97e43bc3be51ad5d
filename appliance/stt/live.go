package stt

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/health"
	"munadi/appliance/stt/edge"
	"munadi/appliance/stt/realtime"
)

// openLive makes the door of the realtime protocol.
func (s *Service) openLive() *realtime.Service {
	limits := s.Limits.Realtime
	if limits == (realtime.Limits{}) {
		limits = realtime.DefaultLimits()
	}
	return realtime.New(realtime.Deps{
		Hear: s.Hear, Transcribe: s.Recognizer.Transcribe, Admit: s.admitLive, Witness: s.Witness, Log: s.Log,
		Draining: func() bool { return s.Health.Phase() == health.Draining }, Limits: limits,
	})
}

// admitLive lets in whom a subprotocol or the Authorization header names. A token that the console made for its own page
// may come from any origin, which the appliance may not know behind a proxy; a key may not.
func (s *Service) admitLive(c echo.Context, key string) (auth.Principal, error) {
	ctx := c.Request().Context()
	if s.Token != nil && key != "" {
		if who, ok := s.Token(ctx, key); ok {
			return who, s.able()
		}
	}
	if s.AllowSocket != nil && !s.AllowSocket(c.Request()) {
		return auth.Principal{}, &edge.Problem{
			Status: http.StatusForbidden, Detail: "Pages of this origin may not connect; the setting cors-origins lists those that may",
		}
	}
	if key != "" {
		c.Request().Header.Set(echo.HeaderAuthorization, "Bearer "+key)
	}
	var who auth.Principal
	err := s.admit(func(c echo.Context) error {
		who = principal(c)
		return nil
	})(c)
	return who, err
}

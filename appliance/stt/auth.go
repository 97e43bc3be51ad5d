package stt

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/monitor/health"
	"munadi/engine"
	"munadi/store/account"
)

// KeyAuthenticator verifies API keys; *auth.KeyVerifier implements it.
type KeyAuthenticator interface {
	// VerifyHeader returns the principal of an Authorization header; the error is an *auth.KeyRefusal without a valid key.
	VerifyHeader(ctx context.Context, value string) (auth.Principal, error)
}

const principalKey = "munadi.stt.principal"

func requestPrincipal(c echo.Context) auth.Principal {
	who, _ := c.Get(principalKey).(auth.Principal)
	return who
}

// requireScope is middleware that requires the scope, before any byte of the body is read.
func (s *TranscriptionService) requireScope(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		who, err := s.Auth.VerifyHeader(r.Context(), r.Header.Get(echo.HeaderAuthorization))
		if refused, ok := errors.AsType[*auth.KeyRefusal](err); ok {
			middleware.AddLogAttribute(c, "refused", refused.Reason)
			return newUnauthorized()
		}
		if err != nil {
			return err
		}
		middleware.AddLogAttribute(c, "org", who.OrgID)
		middleware.AddLogAttribute(c, "key", who.KeyID)
		if !who.HasScope(account.ScopeSTT) {
			return &middleware.HTTPProblem{
				Status: http.StatusForbidden, Detail: "This API key lacks the scope " + string(account.ScopeSTT),
			}
		}
		if wait := s.Limit(who.KeyID); wait > 0 {
			return &middleware.HTTPProblem{
				Status: http.StatusTooManyRequests, Detail: "This API key has made too many requests; try again later",
				RetryAfter: wait,
			}
		}
		c.Set(principalKey, who)
		c.SetRequest(r.WithContext(engine.WithClient(r.Context(), engine.ClientID{Organization: who.OrgID, Key: who.KeyID})))
		return next(c)
	}
}

func newUnauthorized() *middleware.HTTPProblem {
	return &middleware.HTTPProblem{
		Status: http.StatusUnauthorized, Detail: "Missing or invalid API key", Challenge: "Bearer",
	}
}

// guardAccess is middleware that ends a long-running request when its key is revoked: with 401, or with an error event
// in a stream.
func (s *TranscriptionService) guardAccess(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx, stop := auth.GuardAccess(c.Request().Context(), requestPrincipal(c).Alive, newUnauthorized())
		defer stop()
		c.SetRequest(c.Request().WithContext(ctx))
		return next(c)
	}
}

// admitWork is requireScope for requests that start new work: they are refused while the service starts or shuts down
// (graceful shutdown).
func (s *TranscriptionService) admitWork(next echo.HandlerFunc) echo.HandlerFunc {
	return s.requireScope(func(c echo.Context) error {
		if err := s.checkReady(); err != nil {
			return err
		}
		return next(c)
	})
}

// admitSpeech is admitWork for text to speech, which needs no recognizer; the request ends when its key is revoked.
func (s *TranscriptionService) admitSpeech(next echo.HandlerFunc) echo.HandlerFunc {
	return s.requireScope(s.guardAccess(func(c echo.Context) error {
		if s.Health.Phase() == health.Draining {
			return newDraining()
		}
		return next(c)
	}))
}

// checkReady returns why new work is refused; nil if it is accepted.
func (s *TranscriptionService) checkReady() error {
	if s.Health.Phase() == health.Draining {
		return newDraining()
	}
	if ok, why := s.Health.CanDecode(); !ok {
		return newUnavailable("The service cannot decode now: " + why)
	}
	return nil
}

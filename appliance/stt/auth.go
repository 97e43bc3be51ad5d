package stt

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/health"
	"munadi/appliance/stt/edge"
	"munadi/engine"
	"munadi/store/org"
)

// Authenticator knows API keys; *auth.Auth is one.
type Authenticator interface {
	// Header finds the key in an Authorization header's value; an *auth.Refusal says that it names no live one.
	Header(ctx context.Context, value string) (auth.Principal, error)
}

const principalKey = "munadi.stt.principal"

func principal(c echo.Context) auth.Principal {
	who, _ := c.Get(principalKey).(auth.Principal)
	return who
}

// authorize lets only keys with the scope through, before a byte of the body is read.
func (s *Service) authorize(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		who, err := s.Auth.Header(r.Context(), r.Header.Get(echo.HeaderAuthorization))
		var refused *auth.Refusal
		if errors.As(err, &refused) {
			edge.Note(c, "refused", refused.Reason)
			return unauthorized()
		}
		if err != nil {
			return err
		}
		edge.Note(c, "org", who.OrgID)
		edge.Note(c, "key", who.KeyID)
		if !who.Has(org.ScopeSTT) {
			return &edge.Problem{
				Status: http.StatusForbidden, Detail: "This API key lacks the scope " + string(org.ScopeSTT),
			}
		}
		if wait := s.Limit(who.KeyID); wait > 0 {
			return &edge.Problem{
				Status: http.StatusTooManyRequests, Detail: "This API key has made too many requests; try again later",
				RetryAfter: wait,
			}
		}
		c.Set(principalKey, who)
		c.SetRequest(r.WithContext(engine.WithClient(r.Context(), engine.Client{Organization: who.OrgID, Key: who.KeyID})))
		return next(c)
	}
}

func unauthorized() *edge.Problem {
	return &edge.Problem{Status: http.StatusUnauthorized, Detail: "Missing or invalid API key", Challenge: "Bearer"}
}

// guard ends a request that lasts when its key is revoked: with 401, or with an error event in a stream.
func (s *Service) guard(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx, stop := auth.Guard(c.Request().Context(), principal(c).Alive, unauthorized())
		defer stop()
		c.SetRequest(c.Request().WithContext(ctx))
		return next(c)
	}
}

// admit is authorize for whatever starts new work: refused while the service starts or shuts down.
func (s *Service) admit(next echo.HandlerFunc) echo.HandlerFunc {
	return s.authorize(func(c echo.Context) error {
		if err := s.able(); err != nil {
			return err
		}
		return next(c)
	})
}

// able says why no new work is taken, if none is.
func (s *Service) able() error {
	if s.Health.Phase() == health.Draining {
		return unavailable("The service is shutting down")
	}
	if ok, why := s.Health.Decodes(); !ok {
		return unavailable("The service cannot decode now: " + why)
	}
	return nil
}

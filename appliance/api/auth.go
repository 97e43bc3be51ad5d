package api

import (
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/health"
)

const principalKey = "munadi.api.principal"

func principal(c echo.Context) auth.Principal {
	who, _ := c.Get(principalKey).(auth.Principal)
	return who
}

// actor is who did it, for timelines and the audit trail.
func actor(c echo.Context) string { return "key:" + principal(c).KeyID }

// authorize lets only keys with the scope through, and each only as often as it may.
func (s *Service) authorize(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := s.identify(c); err != nil {
			return err
		}
		return next(c)
	}
}

// identify finds out whose key the request has.
func (s *Service) identify(c echo.Context) error {
	r := c.Request()
	who, err := s.Auth.Header(r.Context(), r.Header.Get(echo.HeaderAuthorization))
	var refused *auth.Refusal
	if errors.As(err, &refused) {
		s.Note(c, "refused", refused.Reason)
		return unauthorized()
	}
	if err != nil {
		return err
	}
	s.Note(c, "org", who.OrgID)
	s.Note(c, "key", who.KeyID)
	if wanted := scopesFor(r.Method, c.Path()); !slices.ContainsFunc(wanted, who.Has) {
		return refuse(http.StatusForbidden, TypePermission, "This API key lacks the scope "+string(wanted[0]))
	}
	if wait := s.Limit(who.KeyID); wait > 0 {
		return &refusal{
			status: http.StatusTooManyRequests, kind: TypeRateLimited, retryAfter: wait,
			message: "This API key has made too many requests; try again later",
		}
	}
	c.Set(principalKey, who)
	return nil
}

func unauthorized() *refusal {
	return refuse(http.StatusUnauthorized, TypeAuthentication, "Missing or invalid API key")
}

// admit refuses what would change something while the service shuts down.
func (s *Service) admit(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if s.Health.Phase() == health.Draining {
			return unavailable()
		}
		return next(c)
	}
}

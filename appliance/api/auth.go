package api

import (
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/monitor/health"
	"munadi/appliance/service"
)

const principalKey = "munadi.api.principal"

func requestPrincipal(c echo.Context) auth.Principal {
	who, _ := c.Get(principalKey).(auth.Principal)
	return who
}

// requestCaller returns the key's organization, and the key as the actor of the audit trail.
func requestCaller(c echo.Context) service.Caller {
	who := requestPrincipal(c)
	return service.Caller{OrgID: who.OrgID, Actor: "key:" + who.KeyID}
}

// requireScope refuses a request without a valid API key (401), without the scope of the route (403), or over the
// key's rate limit (429).
func (s *APIService) requireScope(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := s.authenticateRequest(c); err != nil {
			return err
		}
		return next(c)
	}
}

// authenticateRequest authenticates the request's API key, checks its scope and applies the rate limit.
func (s *APIService) authenticateRequest(c echo.Context) error {
	r := c.Request()
	who, err := s.Auth.VerifyHeader(r.Context(), r.Header.Get(echo.HeaderAuthorization))
	var refused *auth.KeyRefusal
	if errors.As(err, &refused) {
		s.Note(c, "refused", refused.Reason)
		return newUnauthorizedError()
	}
	if err != nil {
		return err
	}
	s.Note(c, "org", who.OrgID)
	s.Note(c, "key", who.KeyID)
	if wanted := scopesFor(r.Method, c.Path()); !slices.ContainsFunc(wanted, who.HasScope) {
		return newAPIError(http.StatusForbidden, TypePermission, "This API key lacks the scope "+string(wanted[0]))
	}
	if wait := s.Limit(who.KeyID); wait > 0 {
		return &apiError{
			status: http.StatusTooManyRequests, kind: TypeRateLimited, retryAfter: wait,
			message: "This API key has made too many requests; try again later",
		}
	}
	c.Set(principalKey, who)
	return nil
}

func newUnauthorizedError() *apiError {
	return newAPIError(http.StatusUnauthorized, TypeAuthentication, "Missing or invalid API key")
}

// refuseWhileDraining answers 503 to requests that change something during graceful shutdown.
func (s *APIService) refuseWhileDraining(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if s.Health.Phase() == health.Draining {
			return newUnavailableError()
		}
		return next(c)
	}
}

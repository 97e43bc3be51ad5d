package api

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/monitor/health"
	"munadi/appliance/service"
	"munadi/store/account"
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
	if refused, ok := errors.AsType[*auth.KeyRefusal](err); ok {
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

// scopesFor returns the scopes of which a key must have one for a route; the error (403) names the first.
func scopesFor(method, route string) []account.KeyScope {
	reads := method == http.MethodGet || method == http.MethodHead
	if strings.HasSuffix(route, "/talk") || strings.HasSuffix(route, "/ring") { // they keep a trial
		return []account.KeyScope{account.ScopeCallsWrite}
	}
	section, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(route, Root), "/"), "/")
	switch section {
	case "calls", "campaigns":
		if reads {
			return []account.KeyScope{account.ScopeCallsRead}
		}
		return []account.KeyScope{account.ScopeCallsWrite}
	case "people":
		return []account.KeyScope{account.ScopeErasePeople}
	case "scenarios", "organization":
		if reads { // clients that book calls need the scenarios and calling hours
			return []account.KeyScope{account.ScopeCallsRead, account.ScopeCallsWrite, account.ScopeSettings}
		}
	case "suppressions":
		if reads {
			return []account.KeyScope{account.ScopeCallsRead, account.ScopeSettings}
		}
		if method == http.MethodPost { // a key that may book calls may also suppress a number
			return []account.KeyScope{account.ScopeCallsWrite, account.ScopeSettings}
		}
	}
	return []account.KeyScope{account.ScopeSettings}
}

package console

import (
	"bytes"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/ui/page"
	"munadi/ui/shell"
)

// stale marks the refusal of a form, which a person mends by loading the page again.
type stale struct{ reason string }

func (s stale) Error() string { return s.reason }

// refuseForm is the error for a form that cannot be trusted.
func refuseForm(reason string) error {
	return echo.NewHTTPError(http.StatusForbidden, reason).SetInternal(stale{reason})
}

// Explain is the page of a failure: what happened, what to do about it, and the request's id.
func (s *Service) Explain(c echo.Context, err error) (status int, body []byte) {
	status = statusOf(err)
	h := c.Response().Header()
	policy(h)
	h.Set("Cache-Control", "no-store")
	p := page.Failure{Status: status, Request: h.Get(echo.HeaderXRequestID)}
	var refused stale
	p.Stale, p.Full = errors.As(err, &refused), store.IsNoRoom(err)
	if v := visiting(c); v.User.ID != "" {
		p.ConsolePage = s.frame(c, shell.Section("trouble"), "")
	} else {
		p.ConsolePage = s.outside(c, "")
	}
	p.Path = Root // the switches must not repeat what failed
	p.Title = p.Heading()
	var html bytes.Buffer
	if err := page.FailurePage(p).Render(c.Request().Context(), &html); err != nil {
		return http.StatusInternalServerError, []byte(http.StatusText(http.StatusInternalServerError))
	}
	return status, html.Bytes()
}

// statusOf is an error's status: echo's own, or the store's code.
func statusOf(err error) int {
	var he *echo.HTTPError
	if errors.As(err, &he) {
		return he.Code
	}
	if store.IsNoRoom(err) {
		return http.StatusServiceUnavailable
	}
	switch store.CodeOf(err) {
	case store.CodeNotFound:
		return http.StatusNotFound
	case store.CodeConflict:
		return http.StatusConflict
	case store.CodeInvalid:
		return http.StatusUnprocessableEntity
	case store.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	case store.CodeClosed:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

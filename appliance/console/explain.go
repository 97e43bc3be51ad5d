package console

import (
	"bytes"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/ui/layout"
	"munadi/ui/page"
)

// staleFormError marks the refusal of a form, which a person mends by loading the page again.
type staleFormError struct{ reason string }

func (s staleFormError) Error() string { return s.reason }

// refuseForm is the error for a form that cannot be trusted.
func refuseForm(reason string) error {
	return echo.NewHTTPError(http.StatusForbidden, reason).SetInternal(staleFormError{reason})
}

// ExplainError is the page of a failure: what happened, what to do about it, and the request's id.
func (s *ConsoleService) ExplainError(c echo.Context, err error) (status int, body []byte) {
	status = statusOf(err)
	h := c.Response().Header()
	setContentPolicy(h)
	h.Set("Cache-Control", "no-store")
	p := page.FailureView{Status: status, Request: h.Get(echo.HeaderXRequestID)}
	var refused staleFormError
	p.Stale, p.Full = errors.As(err, &refused), store.IsNoRoom(err)
	if v := requestVisitor(c); v.User.ID != "" {
		p.ConsolePage = s.consoleFrame(c, layout.ConsoleSection("trouble"), "")
	} else {
		p.ConsolePage = s.signInFrame(c, "")
	}
	p.Path = Root // the switches must not repeat what failed
	p.Title = p.HeadingText()
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

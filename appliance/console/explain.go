package console

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/ui/layout"
)

// ExplainError returns the error page: the fault, the remedy, and the request's id; or the form that has to be sent
// again.
func (s *ConsoleService) ExplainError(c echo.Context, err error) (status int, body []byte) {
	err = kit.NameBadCursor(c, err)
	status = errorStatus(err)
	h := c.Response().Header()
	kit.SetContentPolicy(h)
	h.Set("Cache-Control", "no-store")
	p := layout.FailureView{Status: status, Request: h.Get(echo.HeaderXRequestID)}
	var refused kit.StaleFormError
	p.Stale, p.Full = errors.As(err, &refused), store.IsNoRoom(err)
	if part, is := errors.AsType[kit.AddressError](err); is {
		p.Unread, p.Whole = part.Shown(), c.Request().URL.Path
	}
	if v := kit.RequestVisitor(c); v.User.ID != "" {
		p.ConsolePage = s.ConsoleFrame(c, "")
		p.Section = "trouble"
	} else {
		p.ConsolePage = s.VisitorFrame(c, "")
	}
	p.Path = kit.Root // the links for language and theme must not repeat the failed request
	p.Title = p.HeadingText()
	page := layout.FailurePage(p)
	if unsent, is := kit.UnsentForm(err); is {
		unsent.ConsolePage = p.ConsolePage
		unsent.Title, unsent.Module = unsent.HeadingText(), "js/console-unsent.js"
		page = layout.UnsentPage(unsent)
	}
	var html bytes.Buffer
	// A client that is gone, as after half a form, is no failure of ours.
	if err := page.Render(context.WithoutCancel(c.Request().Context()), &html); err != nil {
		return http.StatusInternalServerError, []byte(http.StatusText(http.StatusInternalServerError))
	}
	return status, html.Bytes()
}

// errorStatus returns the HTTP status of an error: echo's, or by the store's code.
func errorStatus(err error) int {
	if he, ok := errors.AsType[*echo.HTTPError](err); ok {
		return he.Code
	}
	if store.IsNoRoom(err) {
		return http.StatusServiceUnavailable
	}
	if _, is := errors.AsType[kit.AddressError](err); is {
		return http.StatusUnprocessableEntity
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
	case store.CodeClosed, store.CodeUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

package calls

import (
	"errors"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/ui/calls"
)

// savedFilter parses the query of a saved view or of a form; invalid parts are ignored.
func savedFilter(query string) calls.CallsFilter {
	q, _ := url.ParseQuery(query) // invalid parts are dropped
	return kit.ParseFilter(q)
}

// saveView saves a filter of the list of calls under a name for the user; a view of the same name is replaced.
func (s handlers) saveView(c echo.Context) error {
	v := kit.RequestVisitor(c)
	name, filter := strings.TrimSpace(c.FormValue("name")), savedFilter(c.FormValue("query"))
	if !filter.IsActive() {
		return kit.RefuseForm("a view needs a filter")
	}
	view := account.SavedView{Name: name, Query: kit.CallsQuery(filter, "").Encode()}
	err := s.Accounts.SaveView(c.Request().Context(), v.User, view)
	switch {
	case store.CodeOf(err) == store.CodeInvalid:
		return kit.RefuseForm(err.Error())
	case errors.Is(err, auth.ErrViewsFull):
		kit.FlashProblem(c, calls.ViewsFull.In(v.Lang))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, calls.ViewSaved.In(v.Lang))
	}
	return kit.RedirectTo(c, kit.CallsURL(calls.CallsPath, filter, ""))
}

// deleteView deletes a saved view.
func (s handlers) deleteView(c echo.Context) error {
	v := kit.RequestVisitor(c)
	err := s.Accounts.DeleteView(c.Request().Context(), v.User, c.FormValue("name"))
	return kit.RedirectAfter(c, err, calls.CallsPath, calls.ViewDeleted.In(v.Lang))
}

package console

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/store/account"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// errViewsFull is the error of a user with the largest number of saved views.
var errViewsFull = errors.New("too many saved views; delete one first")

// savedFilter parses the query of a saved view or of a form; invalid parts are ignored.
func savedFilter(query string) page.CallsFilter {
	q, _ := url.ParseQuery(query) // invalid parts are dropped
	return parseFilter(q)
}

// saveView saves a filter of the list of calls under a name for the user; a view of the same name is replaced.
func (s *ConsoleService) saveView(c echo.Context) error {
	v := requestVisitor(c)
	w := locale.CallsIn(v.Lang)
	name, filter := strings.TrimSpace(c.FormValue("name")), savedFilter(c.FormValue("query"))
	if name == "" || utf8.RuneCountInString(name) > account.MaxViewName || !filter.IsActive() {
		return refuseForm("a view has a name of 1 to 40 characters and a filter")
	}
	err := s.changeViews(c, func(views []account.SavedView) ([]account.SavedView, error) {
		views = slices.DeleteFunc(views, func(one account.SavedView) bool { return one.Name == name })
		if len(views) >= account.MaxViews {
			return nil, errViewsFull
		}
		return append(views, account.SavedView{Name: name, Query: callsQuery(filter, "").Encode()}), nil
	})
	switch {
	case errors.Is(err, errViewsFull):
		flashProblem(c, w.ViewsFull)
	case err != nil:
		return err
	default:
		flashMessage(c, w.ViewSaved)
	}
	return redirectTo(c, callsURL(page.CallsPath, filter, ""))
}

// deleteView deletes a saved view.
func (s *ConsoleService) deleteView(c echo.Context) error {
	name := c.FormValue("name")
	err := s.changeViews(c, func(views []account.SavedView) ([]account.SavedView, error) {
		return slices.DeleteFunc(views, func(one account.SavedView) bool { return one.Name == name }), nil
	})
	if err != nil {
		return err
	}
	flashMessage(c, locale.CallsIn(requestVisitor(c).Lang).ViewDeleted)
	return redirectTo(c, page.CallsPath)
}

// changeViews changes the user's saved views in one transaction.
func (s *ConsoleService) changeViews(
	c echo.Context, change func([]account.SavedView) ([]account.SavedView, error),
) error {
	v := requestVisitor(c)
	_, err := s.Store.ChangeUser(
		c.Request().Context(), v.User.ID, "user.views", v.auditActor(), s.Now().UTC(), func(u *account.User) (err error) {
			u.Views, err = change(slices.Clone(u.Views))
			return err
		},
	)
	return err
}

package console

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/choice"
	"munadi/store"
	"munadi/store/org"
	"munadi/ui/page"
	"munadi/ui/text"
)

// SetUpPath is the path of the set-up link, without its token.
const SetUpPath = Root + "/setup/"

// showSetUp shows the first card of the first run.
func (s *Service) showSetUp(c echo.Context) error {
	err := s.Accounts.CanSetUp(c.Request().Context(), c.Param("token"))
	if errors.Is(err, auth.ErrLink) {
		return s.setUpPage(c, http.StatusGone, page.SetUp{Closed: true})
	}
	if err != nil {
		return err
	}
	return s.setUpPage(c, http.StatusOK, page.SetUp{})
}

// setUp makes the first user, signs it in and makes the first key, which the next card shows.
func (s *Service) setUp(c echo.Context) error {
	ctx, lang := c.Request().Context(), choice.Language(c)
	password := c.FormValue("password")
	if password != c.FormValue("again") {
		return s.setUpPage(c, http.StatusUnprocessableEntity, page.SetUp{Fault: text.PasswordsIn(lang).Differ})
	}
	token, u, err := s.Accounts.SetUp(ctx, c.Param("token"), password, from(c))
	if errors.Is(err, auth.ErrLink) || store.CodeOf(err) == store.CodeConflict {
		return s.setUpPage(c, http.StatusGone, page.SetUp{Closed: true})
	}
	if fault := userFault(err, lang); fault != "" {
		return s.setUpPage(c, http.StatusUnprocessableEntity, page.SetUp{Fault: fault})
	}
	if err != nil {
		return err
	}
	s.setSession(c, token, u)
	if err := s.firstKey(c, token, u); err != nil {
		return err
	}
	return see(c, Root+"/welcome")
}

// firstKey makes a key for the first user's programs.
func (s *Service) firstKey(c echo.Context, token string, u org.User) error {
	ctx := c.Request().Context()
	session, _, err := s.Gate.Session(ctx, token)
	if err != nil {
		return err
	}
	name := text.SetUpIn(choice.Language(c)).FirstKey
	return s.issue(ctx, visitor{User: u, Session: session, Org: org.Organization{ID: u.OrgID}}, name, org.UsualScopes())
}

// weakness says why a password is refused; empty when err has another cause.
func weakness(err error, l text.Lang) string {
	var weak *auth.WeakPassword
	if !errors.As(err, &weak) {
		return ""
	}
	w := text.PasswordsIn(l)
	return map[auth.Weakness]string{
		auth.TooShort: w.Short, auth.TooLong: w.Long, auth.IsName: w.IsName, auth.Common: w.Common,
	}[weak.Why]
}

func (s *Service) setUpPage(c echo.Context, status int, p page.SetUp) error {
	p.ConsolePage, p.User = s.outside(c, text.SetUpIn(choice.Language(c)).Title), auth.FirstUser
	return show(c, status, page.SetUpPage(p))
}

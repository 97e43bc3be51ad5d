package console

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/ui/locale"
)

// endSessions ends one session of the user, or all but the current one.
func (s *ConsoleService) endSessions(c echo.Context) error {
	v, ctx, id := requestVisitor(c), c.Request().Context(), c.FormValue("session")
	var err error
	if id == "" {
		err = s.Accounts.EndOtherSessions(ctx, v.User, v.Session)
	} else {
		err = s.Accounts.EndUserSession(ctx, v.User, id)
	}
	if err != nil {
		return err
	}
	if id == auth.SessionID(v.Session) {
		return redirectTo(c, Root+"/sign-in")
	}
	flashMessage(c, locale.UsersIn(v.Lang).Ended)
	return redirectTo(c, Root+"/account")
}

package accounts

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/ui/accounts"
)

// endSessions ends one session of the user, or all but the current one.
func (s handlers) endSessions(c echo.Context) error {
	v, ctx, id := kit.RequestVisitor(c), c.Request().Context(), c.FormValue("session")
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
		return kit.RedirectTo(c, kit.Root+"/sign-in")
	}
	kit.FlashMessage(c, accounts.Ended.In(v.Lang))
	return kit.RedirectTo(c, kit.Root+"/account")
}

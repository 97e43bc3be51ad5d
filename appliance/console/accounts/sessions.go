package accounts

import (
	"net/url"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/ui/accounts"
)

// endSessions ends one session of the user, or all but the current one, if the user has authenticated again.
func (s handlers) endSessions(c echo.Context) error {
	v, ctx, id := kit.RequestVisitor(c), c.Request().Context(), c.FormValue("session")
	if !s.Accounts.IsConfirmed(v.Session) {
		return kit.RedirectTo(c, confirmSessionsAddress())
	}
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
	return kit.RedirectSaying(c, kit.Root+"/account", accounts.Ended.In(v.Lang))
}

// confirmSessionsAddress returns where a user authenticates again before sessions are ended.
func confirmSessionsAddress() string {
	return kit.Root + kit.ConfirmPath + "?next=" + url.QueryEscape(kit.Root+"/account")
}

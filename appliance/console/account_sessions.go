package console

import (
	"encoding/hex"

	"github.com/labstack/echo/v4"

	"munadi/ui/locale"
)

// endSessions ends one session of the user, or all but this one.
func (s *ConsoleService) endSessions(c echo.Context) error {
	v, ctx := requestVisitor(c), c.Request().Context()
	if err := s.endSelectedSessions(c, v, c.FormValue("session")); err != nil {
		return err
	}
	if err := s.addAudit(c, "user.sessions_end", v.User.Name, ""); err != nil {
		return err
	}
	if _, _, err := s.Store.SessionByHash(ctx, v.Session.Hash, s.Now().UTC()); err != nil {
		return redirectTo(c, Root+"/sign-in")
	}
	flashMessage(c, locale.UsersIn(v.Lang).Ended)
	return redirectTo(c, Root+"/account")
}

// endSelectedSessions ends the user's session with that id; without an id all but the current one.
func (s *ConsoleService) endSelectedSessions(c echo.Context, v visitor, id string) error {
	ctx := c.Request().Context()
	if id == "" {
		_, err := s.Store.EndSessions(ctx, v.User.ID, v.Session.Hash)
		return err
	}
	all, err := s.Store.ListSessions(ctx, v.User.ID, s.Now().UTC())
	if err != nil {
		return err
	}
	for _, session := range all {
		if hex.EncodeToString(session.Hash) == id {
			return s.Store.EndSession(ctx, session.Hash)
		}
	}
	return echo.ErrNotFound
}

package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/ui/text"
)

// backUp has a backup made, in the background.
func (s *Service) backUp(c echo.Context) error {
	v := visiting(c)
	line := store.Change{At: s.Now().UTC(), Actor: v.actor(), Action: "backup.make"}
	if err := s.Store.Note(c.Request().Context(), v.Org.ID, line); err != nil {
		return err
	}
	s.BackUp()
	say(c, text.SystemIn(v.Lang).BackupBegun)
	return see(c, Root+"/system#backups")
}

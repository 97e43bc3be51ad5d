package console

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// askErase asks whether everything about the person of a call is to be removed.
func (s *Service) askErase(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	v := visiting(c)
	w, path := text.CallIn(v.Lang), page.CallsPath+"/"+found.ID
	if found.PhoneNumber == "" {
		return see(c, path)
	}
	return show(c, http.StatusOK, page.AskPage(page.Ask{
		ConsolePage: s.frame(c, shell.Calls, w.EraseTitle), Lead: w.EraseLead, Items: []string{found.PhoneNumber},
		Action: path + "/erase", Do: w.EraseDo, Back: path, BackSay: text.CallsIn(v.Lang).Back,
	}))
}

// erasePerson removes it.
func (s *Service) erasePerson(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	v, path := visiting(c), page.CallsPath+"/"+found.ID
	if found.PhoneNumber == "" {
		return see(c, path)
	}
	erased, err := s.Store.ErasePerson(c.Request().Context(), v.Org.ID, found.PhoneNumber, v.actor(), s.Now().UTC())
	left := []error{err}
	for _, name := range erased.Recordings {
		left = append(left, s.Recordings.Remove(name))
	}
	if err := errors.Join(left...); err != nil {
		return err
	}
	say(c, count(text.CallIn(v.Lang).ErasedSay, "count", erased.Calls, "cancelled", erased.Cancelled))
	return see(c, path)
}

package console

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/call"
	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// callOf is the call that the path names.
func (s *Service) callOf(c echo.Context) (call.Call, error) {
	id := c.Param("id")
	if !call.ValidID(id) {
		return call.Call{}, gone("no such call")
	}
	return s.Store.Call(c.Request().Context(), visiting(c).Org.ID, id)
}

// askHangup asks whether a running call is to be ended.
func (s *Service) askHangup(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	w := text.CallIn(visiting(c).Lang)
	path := page.CallsPath + "/" + found.ID
	if !found.Status.Running() {
		complain(c, w.NotRunning)
		return see(c, path)
	}
	return show(c, http.StatusOK, page.AskPage(page.Ask{
		ConsolePage: s.frame(c, shell.Calls, w.HangUpTitle), Lead: w.HangUpLead, Items: []string{found.PhoneNumber},
		Action: path + "/hangup", Do: w.HangUpDo, Back: path, BackSay: text.CallsIn(visiting(c).Lang).Back,
	}))
}

// hangupCall ends it.
func (s *Service) hangupCall(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	v := visiting(c)
	w := text.CallIn(v.Lang)
	_, err = s.Store.HangupCall(c.Request().Context(), v.Org.ID, found.ID, v.actor(), s.Now().UTC())
	switch {
	case store.CodeOf(err) == store.CodeConflict:
		complain(c, w.NotRunning)
	case err != nil:
		return err
	default:
		say(c, w.HungUp)
	}
	return see(c, page.CallsPath+"/"+found.ID)
}

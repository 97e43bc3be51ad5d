package console

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/call"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// requestCall finds the call that the path names.
func (s *ConsoleService) requestCall(c echo.Context) (call.Call, error) {
	return s.UseCases.FindCall(c.Request().Context(), requestVisitor(c).Org.ID, c.Param("id"))
}

// askHangup asks for confirmation before a running call is ended.
func (s *ConsoleService) askHangup(c echo.Context) error {
	found, err := s.requestCall(c)
	if err != nil {
		return err
	}
	w := locale.CallIn(requestVisitor(c).Lang)
	path := page.CallsPath + "/" + found.ID
	if !found.Status.IsRunning() {
		flashProblem(c, w.NotRunning)
		return redirectTo(c, path)
	}
	return renderPage(c, http.StatusOK, page.AskPage(page.AskView{
		ConsolePage: s.consoleFrame(c, layout.Calls, w.HangUpTitle), Lead: w.HangUpLead, Items: []string{found.PhoneNumber},
		Action: path + "/hangup", Do: w.HangUpDo, Back: path, BackSay: locale.CallsIn(requestVisitor(c).Lang).Back,
	}))
}

// hangupCall requests the end of a running call.
func (s *ConsoleService) hangupCall(c echo.Context) error {
	w := locale.CallIn(requestVisitor(c).Lang)
	_, err := s.UseCases.HangupCall(c.Request().Context(), requestCaller(c), c.Param("id"))
	switch {
	case store.CodeOf(err) == store.CodeConflict:
		flashProblem(c, w.NotRunning)
	case err != nil:
		return err
	default:
		flashMessage(c, w.HungUp)
	}
	return redirectTo(c, page.CallsPath+"/"+c.Param("id"))
}

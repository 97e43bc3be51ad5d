package calls

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/call"
	"munadi/ui/calls"
)

// requestCall finds the call that the path names.
func (s handlers) requestCall(c echo.Context) (call.Call, error) {
	return s.UseCases.FindCall(c.Request().Context(), kit.RequestVisitor(c).Org.ID, c.Param("id"))
}

// askHangup asks for Confirmation before a running call is ended.
func (s handlers) askHangup(c echo.Context) error {
	found, err := s.requestCall(c)
	if err != nil {
		return err
	}
	l := kit.RequestVisitor(c).Lang
	path := calls.CallsPath + "/" + found.ID
	if !found.Status.IsRunning() {
		return kit.RedirectProblem(c, path, calls.CallNotRunning.In(l))
	}
	return kit.RenderPage(c, http.StatusOK, calls.AskPage(calls.AskView{
		ConsolePage: s.ConsoleFrame(c, calls.CallHangUpTitle.In(l)), Lead: calls.CallHangUpLead.In(l),
		Items: []string{found.PhoneNumber}, Action: path + "/hangup", Do: calls.CallHangUpDo.In(l), Back: path,
	}))
}

// hangupCall requests the end of a running call.
func (s handlers) hangupCall(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	_, err := s.UseCases.HangupCall(c.Request().Context(), kit.RequestCaller(c), c.Param("id"))
	switch {
	case store.CodeOf(err) == store.CodeConflict:
		kit.FlashProblem(c, calls.CallNotRunning.In(l))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, calls.CallHungUp.In(l))
	}
	return kit.RedirectTo(c, calls.CallsPath+"/"+c.Param("id"))
}

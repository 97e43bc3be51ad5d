package console

import (
	"errors"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/store"
	"munadi/ui/calls"
	"munadi/ui/page"
)

// rescheduleCall moves a scheduled call to another time within the calling hours.
func (s *ConsoleService) rescheduleCall(c echo.Context) error {
	ctx, v := c.Request().Context(), requestVisitor(c)
	rules, err := s.requestRules(c)
	if err != nil {
		return err
	}
	at, _ := parseFormTime(c.FormValue("at"), rulesZone(rules)) // a malformed time is zero, which is refused
	_, err = s.UseCases.RescheduleCall(ctx, requestCaller(c), c.Param("id"), at, nil)
	var broken *service.ViolationError
	switch {
	case errors.As(err, &broken) && broken.Violations[0].Reason == service.ClosedHours:
		flashProblem(c, calls.CallClosedHours.In(v.Lang))
	case errors.As(err, &broken):
		flashProblem(c, calls.CallBadMove.In(v.Lang))
	case store.CodeOf(err) == store.CodeConflict:
		flashProblem(c, calls.CallGone.In(v.Lang))
	case err != nil:
		return err
	default:
		flashMessage(c, calls.CallMoved.In(v.Lang))
	}
	return redirectTo(c, page.CallsPath+"/"+c.Param("id"))
}

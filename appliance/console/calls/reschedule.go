package calls

import (
	"errors"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/ui/calls"
)

// rescheduleCall moves a scheduled call to another time within the calling hours.
func (s handlers) rescheduleCall(c echo.Context) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	rules, err := s.RequestRules(c)
	if err != nil {
		return err
	}
	at, _ := kit.ParseFormTime(c.FormValue("at"), kit.RulesZone(rules)) // a malformed time is zero, which is refused
	_, err = s.UseCases.RescheduleCall(ctx, kit.RequestCaller(c), c.Param("id"), at, nil)
	var broken *service.ViolationError
	switch {
	case errors.As(err, &broken) && broken.Violations[0].Reason == service.ClosedHours:
		kit.FlashProblem(c, calls.CallClosedHours.In(v.Lang))
	case errors.As(err, &broken):
		kit.FlashProblem(c, calls.CallBadMove.In(v.Lang))
	case store.CodeOf(err) == store.CodeConflict:
		kit.FlashProblem(c, calls.CallGone.In(v.Lang))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, calls.CallMoved.In(v.Lang))
	}
	return kit.RedirectTo(c, calls.CallsPath+"/"+c.Param("id"))
}

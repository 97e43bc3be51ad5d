package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// rescheduleCall moves a scheduled call to another time, within the calling hours.
func (s *ConsoleService) rescheduleCall(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	ctx, v := c.Request().Context(), requestVisitor(c)
	k, err := s.newBookingContext(ctx, v)
	if err != nil {
		return err
	}
	w := locale.CallIn(v.Lang)
	at, ok := readTime(c.FormValue("at"), k.zone)
	plan, _ := scenarioCalled(k.scenarios, found.ScenarioID)
	switch {
	case !ok || !call.IsReschedulable(at, k.now):
		flashProblem(c, w.BadMove)
	case !callrules.IsOpen(k.rules, plan.CallingHours, plan.TimeZone, at):
		flashProblem(c, w.ClosedHours)
	default:
		_, err := s.Store.RescheduleCall(ctx, v.Org.ID, found.ID, at.UTC(), call.Rescheduled, v.auditActor(), k.now)
		if store.CodeOf(err) == store.CodeConflict {
			flashProblem(c, w.Gone)
		} else if err != nil {
			return err
		} else {
			flashMessage(c, w.Moved)
		}
	}
	return redirectTo(c, page.CallsPath+"/"+found.ID)
}

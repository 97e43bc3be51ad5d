package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/dialling"
	"munadi/ui/page"
	"munadi/ui/text"
)

// rescheduleCall gives a scheduled call another time, within the calling hours.
func (s *Service) rescheduleCall(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	ctx, v := c.Request().Context(), visiting(c)
	k, err := s.counter(ctx, v)
	if err != nil {
		return err
	}
	w := text.CallIn(v.Lang)
	at, ok := readTime(c.FormValue("at"), k.zone)
	plan, _ := scenarioCalled(k.scenarios, found.ScenarioID)
	switch {
	case !ok || !call.Reschedulable(at, k.now):
		complain(c, w.BadMove)
	case !dialling.Open(k.rules, plan.CallingHours, plan.TimeZone, at):
		complain(c, w.ClosedHours)
	default:
		_, err := s.Store.RescheduleCall(ctx, v.Org.ID, found.ID, at.UTC(), call.Rescheduled, v.actor(), k.now)
		if store.CodeOf(err) == store.CodeConflict {
			complain(c, w.Gone)
		} else if err != nil {
			return err
		} else {
			say(c, w.Moved)
		}
	}
	return see(c, page.CallsPath+"/"+found.ID)
}

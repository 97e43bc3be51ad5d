package api

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/body"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/dialling"
)

// rescheduleBody is what POST /calls/{call_id}/reschedule takes.
type rescheduleBody struct {
	ScheduledAt time.Time `json:"scheduled_at"`
}

// rescheduleCall gives a scheduled call another dial time.
func (s *Service) rescheduleCall(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	now := s.Now()
	at, err := newTime(c, now)
	if err != nil {
		return err
	}
	if found.Status != call.Scheduled {
		return released(found.Status)
	}
	ctx := c.Request().Context()
	if err := s.mustBeOpen(ctx, found, at); err != nil {
		return err
	}
	moved, err := s.Store.RescheduleCall(ctx, found.OrgID, found.ID, at, call.Rescheduled, actor(c), now)
	if store.CodeOf(err) == store.CodeConflict {
		return released("")
	}
	if err != nil {
		return err
	}
	return s.answerCall(c, http.StatusOK, moved)
}

// newTime reads the time that is asked for: 10 minutes to 30 days ahead.
func newTime(c echo.Context, now time.Time) (time.Time, error) {
	parsed, err := object(c)
	if err != nil {
		return time.Time{}, err
	}
	var b rescheduleBody
	found := body.Bind(parsed, &b)
	switch {
	case b.ScheduledAt.IsZero():
		found.Add("scheduled_at", "is required: an RFC 3339 date-time with a time zone offset")
	case !call.Reschedulable(b.ScheduledAt, now):
		found.Add("scheduled_at", "must lie at least 10 minutes and at most 30 days ahead")
	}
	return b.ScheduledAt, invalid(found)
}

// mustBeOpen refuses a time in closed hours. A scenario that is gone has none.
func (s *Service) mustBeOpen(ctx context.Context, c call.Call, at time.Time) error {
	plan, _, err := s.findScenario(ctx, c.OrgID, c.ScenarioID)
	if err != nil {
		return err
	}
	rules, err := s.Store.Rules(ctx, c.OrgID)
	if err != nil {
		return err
	}
	if !dialling.Open(rules, plan.CallingHours, plan.TimeZone, at) {
		return violation("scheduled_at", "must lie within the calling hours")
	}
	return nil
}

// released is the 409 of a call that is not scheduled any more.
func released(status call.Status) *refusal {
	message := "The call has been released for dialing already"
	switch {
	case status == call.Cancelled:
		message = "The call has been cancelled"
	case status.Final() && status != "":
		message = "The call has ended"
	}
	return refuse(http.StatusConflict, TypeReleased, message)
}

package api

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/jsonbind"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
)

// rescheduleBody is the request body of POST /calls/{call_id}/reschedule.
type rescheduleBody struct {
	ScheduledAt time.Time `json:"scheduled_at"`
}

// rescheduleCall moves a scheduled call to another dial time.
func (s *APIService) rescheduleCall(c echo.Context) error {
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
		return newReleasedError(found.Status)
	}
	ctx := c.Request().Context()
	if err := s.mustBeOpen(ctx, found, at); err != nil {
		return err
	}
	moved, err := s.Store.RescheduleCall(ctx, found.OrgID, found.ID, at, call.Rescheduled, auditActor(c), now)
	if store.CodeOf(err) == store.CodeConflict {
		return newReleasedError("")
	}
	if err != nil {
		return err
	}
	return s.answerCall(c, http.StatusOK, moved)
}

// newTime parses the requested time: 10 minutes to 30 days ahead.
func newTime(c echo.Context, now time.Time) (time.Time, error) {
	parsed, err := readJSONObject(c)
	if err != nil {
		return time.Time{}, err
	}
	var b rescheduleBody
	found := jsonbind.BindValue(parsed, &b)
	switch {
	case b.ScheduledAt.IsZero():
		found.AddViolation("scheduled_at", "is required: an RFC 3339 date-time with a time zone offset")
	case !call.IsReschedulable(b.ScheduledAt, now):
		found.AddViolation("scheduled_at", "must lie at least 10 minutes and at most 30 days ahead")
	}
	return b.ScheduledAt, newValidationError(found)
}

// mustBeOpen refuses a time outside the calling hours (422). A scenario that was deleted restricts nothing.
func (s *APIService) mustBeOpen(ctx context.Context, c call.Call, at time.Time) error {
	plan, _, err := s.findScenario(ctx, c.OrgID, c.ScenarioID)
	if err != nil {
		return err
	}
	rules, err := s.Store.FindRules(ctx, c.OrgID)
	if err != nil {
		return err
	}
	if !callrules.IsOpen(rules, plan.CallingHours, plan.TimeZone, at) {
		return newFieldViolation("scheduled_at", "must lie within the calling hours")
	}
	return nil
}

// newReleasedError returns the 409 call_already_released of a call that is no longer scheduled.
func newReleasedError(status call.CallStatus) *apiError {
	message := "The call has been released for dialing already"
	switch {
	case status == call.Cancelled:
		message = "The call has been cancelled"
	case status.IsFinal() && status != "":
		message = "The call has ended"
	}
	return newAPIError(http.StatusConflict, TypeReleased, message)
}

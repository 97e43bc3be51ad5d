package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/jsontext"
	"munadi/store/strictjson"
)

// createCall books a call.
func (s *APIService) createCall(c echo.Context) error {
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	once, err := idempotencyKey(c, parsed)
	if err != nil {
		return err
	}
	r := bindBooking(parsed)
	if r.Once = once; once != nil {
		once.Answer = func(booked call.Call) ([]byte, error) { return jsontext.MarshalUnescaped(s.newCallBody(booked)) }
	}
	booked, err := s.UseCases.BookCall(c.Request().Context(), requestCaller(c), r)
	if err != nil {
		return err
	}
	s.setLocation(c, "/calls/"+booked.Call.ID)
	if booked.Repeated {
		return s.answerRepeat(c, booked)
	}
	return writeSuccess(c, http.StatusCreated, s.newCallBody(booked.Call))
}

// newCallBody returns the body of a call that was just booked.
func (s *APIService) newCallBody(booked call.Call) apimodel.CallBody {
	return apimodel.CallOf(booked, nil, s.Links)
}

// answerRepeat answers an idempotent repeat with the first request's response. Once the person was erased, that is
// deleted, and the response shows the current call.
func (s *APIService) answerRepeat(c echo.Context, first service.BookedCall) error {
	c.Response().Header().Set(headerReplayed, "true")
	if first.Answer != nil {
		return writeSuccess(c, http.StatusCreated, json.RawMessage(first.Answer))
	}
	erased, err := s.Store.FindCall(c.Request().Context(), requestPrincipal(c).OrgID, first.Call.ID)
	return s.answerCall(c, http.StatusCreated, erased, err)
}

// getCall answers GET /calls/{call_id}: one call with all its fields.
func (s *APIService) getCall(c echo.Context) error {
	found, err := s.callOf(c)
	return s.answerCall(c, http.StatusOK, found, err)
}

// callOf finds the call that the path names; a malformed id is not_found.
func (s *APIService) callOf(c echo.Context) (call.Call, error) {
	return s.UseCases.FindCall(c.Request().Context(), requestPrincipal(c).OrgID, c.Param("call_id"))
}

// answerCall writes a call that was found or changed, or returns the error.
func (s *APIService) answerCall(c echo.Context, status int, found call.Call, err error) error {
	if err != nil {
		return err
	}
	body, err := s.buildCallBody(c.Request().Context(), found)
	return answer(c, status, body, err)
}

// buildCallBody returns a call's body with the state of its webhook delivery.
func (s *APIService) buildCallBody(ctx context.Context, found call.Call) (apimodel.CallBody, error) {
	var (
		notification *delivery.Delivery
		err          error
	)
	if found.Notify {
		notification, err = s.Store.DeliveryOf(ctx, found.OrgID, found.ID)
	}
	if store.IsUnreadable(err) { // the answer's warnings say so
		notification, err = nil, nil
	}
	return apimodel.CallOf(found, notification, s.Links), err
}

// cancelCall cancels a scheduled call, and with it its retry chain. A body is not required and not read.
func (s *APIService) cancelCall(c echo.Context) error {
	cancelled, err := s.UseCases.CancelCall(c.Request().Context(), requestCaller(c), c.Param("call_id"))
	return s.answerCall(c, http.StatusOK, cancelled, err)
}

// hangupCall requests the end of a running call (202); 409 if it is not running.
func (s *APIService) hangupCall(c echo.Context) error {
	ending, err := s.UseCases.HangupCall(c.Request().Context(), requestCaller(c), c.Param("call_id"))
	return s.answerCall(c, http.StatusAccepted, ending, err)
}

// eraseTrial deletes the data of a trial; 404 for a call.
func (s *APIService) eraseTrial(c echo.Context) error {
	ctx, who := c.Request().Context(), requestCaller(c)
	if err := s.UseCases.EraseTrial(ctx, who, c.Param("call_id")); err != nil {
		return err
	}
	erased, err := s.UseCases.FindCall(ctx, who.OrgID, c.Param("call_id"))
	return s.answerCall(c, http.StatusOK, erased, err)
}

// rescheduleBody is the request body of POST /calls/{call_id}/reschedule.
type rescheduleBody struct {
	ScheduledAt time.Time `json:"scheduled_at"`
}

// rescheduleCall moves a scheduled call to another dial time.
func (s *APIService) rescheduleCall(c echo.Context) error {
	var b rescheduleBody
	return s.changeCall(c, http.StatusOK, &b, func(
		ctx context.Context, who service.Caller, id string, broken service.FieldViolations,
	) (call.Call, error) {
		return s.UseCases.RescheduleCall(ctx, who, id, b.ScheduledAt, broken)
	})
}

// bookingBody is the request body of POST /calls.
type bookingBody struct {
	PhoneNumber string            `json:"phone_number"`
	ScenarioID  string            `json:"scenario_id"`
	ScheduledAt *time.Time        `json:"scheduled_at"`
	Retry       *retryBody        `json:"retry"`
	Variables   map[string]any    `json:"variables"`
	Metadata    map[string]string `json:"metadata"`
}

type retryBody struct {
	MaxAttempts  *int  `json:"max_attempts"`
	DelayMinutes []int `json:"delay_minutes"`
}

// requestedPlan returns the retry plan of a body; nil without one.
func (r *retryBody) requestedPlan() *service.RetryRequest {
	if r == nil {
		return nil
	}
	return &service.RetryRequest{MaxAttempts: r.MaxAttempts, DelayMinutes: r.DelayMinutes}
}

// bindBooking parses a booking.
func bindBooking(parsed map[string]any) service.BookingRequest {
	var b bookingBody
	found := strictjson.BindValue(parsed, &b)
	return service.BookingRequest{
		PhoneNumber: b.PhoneNumber, ScenarioID: b.ScenarioID, ScheduledAt: b.ScheduledAt,
		Retry: b.Retry.requestedPlan(), Variables: b.Variables, Metadata: b.Metadata, Violations: found,
	}
}

// getCallTrace answers GET /calls/{call_id}/trace: the SIP ladder and the media quality of a call that has ended.
func (s *APIService) getCallTrace(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	trace, err := s.Store.FindTrace(c.Request().Context(), found.OrgID, found.ID)
	return answer(c, http.StatusOK, apimodel.TraceOf(found.ID, trace), err)
}

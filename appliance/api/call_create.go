package api

import (
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/service"
	"munadi/store/call"
	"munadi/store/jsontext"
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
	c.Response().Header().Set(echo.HeaderLocation, Root+"/calls/"+booked.Call.ID)
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
	if err != nil {
		return err
	}
	return s.answerCall(c, http.StatusCreated, erased)
}

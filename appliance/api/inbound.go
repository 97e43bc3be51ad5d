package api

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/store/inbound"
	"munadi/store/strictjson"
)

// inboundBody is the request body of PUT /inbound.
type inboundBody struct {
	Routes       []inbound.Route `json:"routes"`
	CallbackDays int             `json:"callback_days"`
	Closed       *string         `json:"closed"`
	UpdatedAt    time.Time       `json:"updated_at"` // read-only, as shown by GET
}

// getInbound answers the settings of inbound calls.
func (s *APIService) getInbound(c echo.Context) error {
	kept, err := s.Store.FindInbound(c.Request().Context(), requestPrincipal(c).OrgID)
	if err != nil {
		return err
	}
	setETag(c, kept)
	return writeSuccess(c, http.StatusOK, apimodel.InboundOf(kept))
}

// putInbound replaces the settings of inbound calls; omitted ones are reset to their defaults.
func (s *APIService) putInbound(c echo.Context) error {
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	var b inboundBody
	found := strictjson.BindValue(parsed, &b)
	if parsed["routes"] == nil {
		found.AddViolation("routes", "is required: a list, which may be empty")
	}
	wanted := inbound.Settings{Routes: b.Routes, CallbackDays: b.CallbackDays}
	if b.Closed != nil {
		wanted.Closed = *b.Closed
	}
	after, err := s.UseCases.ReplaceInbound(
		c.Request().Context(), requestCaller(c), wanted, found, ifMatch[inbound.Settings](c),
	)
	if err != nil {
		return err
	}
	setETag(c, after)
	return writeSuccess(c, http.StatusOK, apimodel.InboundOf(after))
}

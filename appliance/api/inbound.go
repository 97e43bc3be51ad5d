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
	return answerSetting(c, kept, err, apimodel.InboundOf)
}

// putInbound replaces the settings of inbound calls; omitted ones are reset to their defaults. A closed line that no
// voice can speak is kept, with a warning.
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
	ctx, who := c.Request().Context(), requestCaller(c)
	after, err := s.UseCases.ReplaceInbound(ctx, who, wanted, found, ifMatch[inbound.Settings](c))
	if err != nil {
		return err
	}
	warnings, err := s.UseCases.CheckClosed(ctx, who.OrgID, after.Closed)
	if err != nil {
		return err
	}
	setETag(c, after)
	return writeWarned(c, http.StatusOK, apimodel.InboundOf(after), warnings)
}

// simulatedCall is the request body of POST /inbound/simulate, and with the outcome its answer.
type simulatedCall struct {
	From string `json:"from"` // empty: withheld
	To   string `json:"to"`
}

// simulateCaller lets a simulated person call a routed number (202); 409 where real telephones ring.
func (s *APIService) simulateCaller(c echo.Context) error {
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	var b simulatedCall
	found := strictjson.BindValue(parsed, &b)
	refused, err := s.UseCases.SimulateCaller(c.Request().Context(), requestCaller(c), b.From, b.To, found)
	if err != nil {
		return err
	}
	answer := struct {
		simulatedCall
		Simulated bool `json:"simulated"`
		SIPCode   *int `json:"sip_code"` // of the refusal that the caller hears; null when it rings
	}{simulatedCall: b, Simulated: true}
	if refused != 0 {
		answer.SIPCode = &refused
	}
	return writeSuccess(c, http.StatusAccepted, answer)
}

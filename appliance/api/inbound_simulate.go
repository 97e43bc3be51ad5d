package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store/strictjson"
)

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

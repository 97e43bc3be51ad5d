package api

import (
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver"
	"munadi/store/phonenumber"
)

// numberOf parses the telephone number in the path; its plus sign may be missing, or decoded as a space.
func numberOf(c echo.Context) (string, bool) {
	text, err := httpserver.DecodePathParam(c, "number")
	number := "+" + strings.TrimLeft(text, "+ ")
	return number, err == nil && phonenumber.IsE164(number)
}

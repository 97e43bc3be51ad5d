package api

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"
)

// e164 is the syntax of an international number (E.164). Whether the number exists is known to the carrier only.
var e164 = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)

const badNumber = "must be an E.164 number: a plus sign and 7 to 15 digits, the first of which is not 0"

func validNumber(text string) bool { return e164.MatchString(text) }

// numberOf parses the telephone number in the path; its plus sign may be missing, or decoded as a space.
func numberOf(c echo.Context) (string, bool) {
	text, err := url.PathUnescape(c.Param("number"))
	number := "+" + strings.TrimLeft(text, "+ ")
	return number, err == nil && validNumber(number)
}

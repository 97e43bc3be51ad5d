package api

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"
)

// e164 is the form of an international number. Whether its plan exists is the carrier's affair.
var e164 = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)

const badNumber = "must be an E.164 number: a plus sign and 7 to 15 digits, the first of which is not 0"

func validNumber(text string) bool { return e164.MatchString(text) }

// numberOf is the number that the path names, whose plus sign may be missing, or have become a space on its way.
func numberOf(c echo.Context) (string, bool) {
	text, err := url.PathUnescape(c.Param("number"))
	number := "+" + strings.TrimLeft(text, "+ ")
	return number, err == nil && validNumber(number)
}

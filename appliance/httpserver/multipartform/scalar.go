package multipartform

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Pydantic's lax mode on strings: surrounding space, a sign, underscores (in integers between digits only), and for
// integers a fraction of zeros. testdata/pydantic.json holds Pydantic's result for each spelling.
var (
	integer = regexp.MustCompile(`^[+-]?[0-9]+(_[0-9]+)*(\.0+)?$`)
	decimal = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
	special = regexp.MustCompile(`(?i)^[+-]?(inf|infinity|nan)$`)
)

// maxDigits is the length from which Pydantic refuses to parse an integer.
const maxDigits = 4300

// scalarFault is the type and message of a scalar's violation.
type scalarFault struct{ kind, msg string }

var (
	notInt    = &scalarFault{"int_parsing", "Input should be a valid integer, unable to parse string as an integer"}
	hugeInt   = &scalarFault{"int_parsing_size", "Unable to parse input string as an integer, exceeded maximum size"}
	notFloat  = &scalarFault{"float_parsing", "Input should be a valid number, unable to parse string as a number"}
	notFinite = &scalarFault{"finite_number", "Input should be a finite number"}
	notBool   = &scalarFault{"bool_parsing", "Input should be a valid boolean, unable to interpret input"}
)

// parseInt parses an integer and saturates at the ends of int64, so that a range check still names the right bound.
func parseInt(s string) (int64, *scalarFault) {
	if len(s) > maxDigits {
		return 0, hugeInt
	}
	s = strings.TrimSpace(s)
	if !integer.MatchString(s) {
		return 0, notInt
	}
	s, _, _ = strings.Cut(strings.ReplaceAll(s, "_", ""), ".")
	n, err := strconv.ParseInt(s, 10, 64)
	if err == nil {
		return n, nil
	}
	if s[0] == '-' {
		return math.MinInt64, nil
	}
	return math.MaxInt64, nil
}

func parseFloat(s string) (float64, *scalarFault) {
	s = plainFloat(s)
	if special.MatchString(s) {
		return 0, notFinite
	}
	if !decimal.MatchString(s) {
		return 0, notFloat
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil { // the syntax is right, so it is too large
		return 0, notFinite
	}
	return f, nil
}

// plainFloat removes the space around a number, or single underscores within it; text with both is refused (empty).
func plainFloat(s string) string {
	trimmed := strings.TrimSpace(s)
	if !strings.Contains(s, "_") {
		return trimmed
	}
	if s != trimmed || strings.HasPrefix(s, "_") || strings.HasSuffix(s, "_") || strings.Contains(s, "__") {
		return ""
	}
	return strings.ReplaceAll(s, "_", "")
}

func parseBool(s string) (bool, *scalarFault) {
	switch strings.ToLower(s) {
	case "1", "on", "t", "true", "y", "yes":
		return true, nil
	case "0", "off", "f", "false", "n", "no":
		return false, nil
	}
	return false, notBool
}

// Package inbound defines an organization's settings of inbound calls: the numbers at which people call it, and what
// they hear there.
//
// It is a leaf package of pure rules. A number belongs to one organization of the installation: package records refuses
// a route that another organization's routes overlap.
package inbound

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"munadi/store/phonenumber"
	"munadi/store/strictjson"
)

// Settings are an organization's settings of inbound calls; the zero value takes none.
type Settings struct {
	Routes []Route `json:"routes"`
	// CallbackDays is how many days after a call to a number a call from it follows up that call: it gets its scenario
	// and variables; 0: never.
	CallbackDays int `json:"callback_days"`
	// Closed is spoken, and the call ended, outside calling hours; empty: calls are taken at any time.
	Closed    string    `json:"closed"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Route is a number, or all numbers with a prefix, and the scenario that callers get.
type Route struct {
	Number     string `json:"number"` // E.164, or a prefix of E.164 numbers followed by "*"
	ScenarioID string `json:"scenario_id"`
	Lines      *int   `json:"lines"` // calls at once; nil: no limit of its own
}

// RouteOwner is the organization that a number of a route belongs to.
type RouteOwner struct {
	OrgID string `json:"org_id"`
}

// Limits of the settings.
const (
	MaxRoutes       = 200
	MaxLines        = 100_000
	MaxCallbackDays = 90
	MaxClosed       = 2000 // characters
)

// numberPrefix is a prefix route: a plus sign, 1 to 14 digits that do not begin with 0, an asterisk.
var numberPrefix = regexp.MustCompile(`^\+[1-9][0-9]{0,13}\*$`)

// CheckSettings validates settings and returns all violations, in the order of the fields.
func CheckSettings(s Settings) (found strictjson.Violations) {
	if len(s.Routes) > MaxRoutes {
		found.AddViolation("routes", "must have at most %d entries", MaxRoutes)
		return found
	}
	first := map[string]int{}
	for i, r := range s.Routes {
		field := fmt.Sprintf("routes.%d.", i)
		switch before, again := first[r.Number]; {
		case r.Number == "":
			found.AddViolation(field+"number", "is required: %s", routeForm)
		case !phonenumber.IsE164(r.Number) && !numberPrefix.MatchString(r.Number):
			found.AddViolation(field+"number", "must be %s", routeForm)
		case again:
			found.AddViolation(field+"number", "is routed by routes.%d already", before)
		default:
			first[r.Number] = i
		}
		if r.ScenarioID == "" {
			found.AddViolation(field+"scenario_id", "is required")
		}
		if r.Lines != nil && (*r.Lines < 1 || *r.Lines > MaxLines) {
			found.AddViolation(field+"lines", "must be 1 to %d", MaxLines)
		}
	}
	if s.CallbackDays < 0 || s.CallbackDays > MaxCallbackDays {
		found.AddViolation("callback_days", "must be 0 to %d", MaxCallbackDays)
	}
	checkClosed(s.Closed, &found)
	return found
}

const routeForm = "an E.164 number such as +966112345678, or a prefix such as +96611*"

// checkClosed checks the line that is spoken outside calling hours.
func checkClosed(text string, found *strictjson.Violations) {
	switch {
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		found.AddViolation("closed", "must be text")
	case text != "" && strings.TrimSpace(text) == "":
		found.AddViolation("closed", "must hold words, or be empty")
	case utf8.RuneCountInString(text) > MaxClosed:
		found.AddViolation("closed", "must have at most %d characters", MaxClosed)
	case strings.Contains(text, "{{"):
		found.AddViolation("closed", "is spoken as it stands: templates ({{…}}) are not possible")
	}
}

// ShareNumbers reports whether some number matches two routes' numbers.
func ShareNumbers(a, b string) bool {
	prefixA, wideA := strings.CutSuffix(a, "*")
	prefixB, wideB := strings.CutSuffix(b, "*")
	switch {
	case wideA && wideB:
		return strings.HasPrefix(prefixA, prefixB) || strings.HasPrefix(prefixB, prefixA)
	case wideA:
		return strings.HasPrefix(b, prefixA)
	case wideB:
		return strings.HasPrefix(a, prefixB)
	default:
		return a == b
	}
}

// RouteNumbers returns the numbers of the routes that a called number can match, the most specific first: itself, then
// its prefixes from the longest on.
func RouteNumbers(called string) []string {
	all := []string{called}
	for end := len(called); end > len("+"); end-- {
		all = append(all, called[:end]+"*")
	}
	return all
}

// FindRoute returns the route of a number as [Route.Number] has it; false without one.
func (s Settings) FindRoute(number string) (Route, bool) {
	for _, r := range s.Routes {
		if r.Number == number {
			return r, true
		}
	}
	return Route{}, false
}

// TakenError names the routes, by their positions, whose numbers another organization routes. It does not say which.
type TakenError struct{ Routes []int }

// Error says so.
func (e *TakenError) Error() string {
	return fmt.Sprintf("%d of the routes have numbers that are routed already", len(e.Routes))
}

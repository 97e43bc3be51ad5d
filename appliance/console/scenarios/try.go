package scenarios

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/scenario"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// simulatedPrefix is the prefix of the simulated callees' numbers, whose last two digits select the callee.
const simulatedPrefix = "+9665000000"

// simulatedPerson is a simulated callee: the digits that select it, and its description.
type simulatedPerson struct{ digits, name string }

// simulatedPeople returns the callees of a trial call.
func simulatedPeople(l locale.Language) []simulatedPerson {
	return []simulatedPerson{
		{"00", scenarios.Yields.In(l)},
		{"70", scenarios.Interrupts.In(l)},
		{"80", scenarios.Changes.In(l)},
		{"83", scenarios.Cancels.In(l)},
		{"86", scenarios.Keys.In(l)},
		{"87", scenarios.AsksAgain.In(l)},
		{"88", scenarios.Shy.In(l)},
		{"89", scenarios.Slow.In(l)},
		{"98", scenarios.Noisy.In(l)},
		{"97", scenarios.Silent.In(l)},
		{"95", scenarios.HangsUp.In(l)},
		{"90", scenarios.NoAnswer.In(l)},
		{"99", scenarios.Late.In(l)},
		{"91", scenarios.Declines.In(l)},
		{"96", scenarios.Busy.In(l)},
		{"92", scenarios.Unavailable.In(l)},
		{"93", scenarios.Voicemail.In(l)},
		{"94", scenarios.NoCarrier.In(l)},
	}
}

// tryForm returns the form of a trial call with the typed values; nil for users who may not call, and without the
// simulator and for a scenario that was only ever a draft, which no call can follow.
func (s handlers) tryForm(c echo.Context, found scenario.Scenario) *scenarios.TryScenario {
	v := kit.RequestVisitor(c)
	if !s.Simulated || !found.IsPublished() || !v.User.Role.Allows(account.Operator) {
		return nil
	}
	try := &scenarios.TryScenario{}
	for _, one := range simulatedPeople(v.Lang) {
		try.People = append(try.People, component.ListChoice{
			Value: one.digits, Name: one.digits + " · " + one.name, Chosen: c.FormValue("person") == one.digits,
		})
	}
	for _, one := range found.Variables {
		try.Variables = append(try.Variables, scenarios.ScenarioVariable{
			Name: one.Name, Label: scenarios.LabelText(v.Lang, one.Label, one.Name), About: one.Description,
			Default: one.Default,
			Field: booking.VariableField(
				v.Lang, one, "variable-"+one.Name, "variables."+one.Name, c.FormValue("variables."+one.Name),
			),
		})
	}
	return try
}

// tryScenario calls a simulated callee once and shows the call.
func (s handlers) tryScenario(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	try := s.tryForm(c, found)
	if try == nil {
		return echo.NewHTTPError(http.StatusConflict, "this needs the simulator, and a published scenario")
	}
	v := kit.RequestVisitor(c)
	r := trialBooking(found, c.FormValue("person"), v.Lang)
	r.Variables = typedVariables(found, "variables.", c.FormValue)
	booked, err := s.UseCases.BookCall(c.Request().Context(), kit.RequestCaller(c), r)
	var broken *service.ViolationError
	if errors.As(err, &broken) {
		try.Fault = describeTryFault(broken.Violations, v.Lang)
		faults := booking.ExplainVariables(found, r.Variables, v.Lang)
		for i := range try.Variables {
			try.Variables[i].Fault = faults["variables."+try.Variables[i].Name]
		}
		return s.scenarioPage(c, http.StatusUnprocessableEntity, found, try, nil)
	}
	if err != nil {
		return err
	}
	return kit.OpenBooked(c, booked.Call)
}

// describeTryFault returns the sentence for a Violation of a trial outside its variables; empty for none.
func describeTryFault(found service.FieldViolations, l locale.Language) (sentence string) {
	for _, v := range found {
		switch v.Reason {
		case service.NeverOpen:
			return scenarios.Closed.In(l)
		case service.Unspeakable:
			sentence = strings.ReplaceAll(scenarios.Unspoken.In(l), "{line}", kit.QuotedLine(v.Message))
		}
	}
	return sentence
}

// typedVariables returns the typed variables of a form whose fields have this prefix.
func typedVariables(found scenario.Scenario, prefix string, field func(name string) string) map[string]any {
	given := map[string]any{}
	for _, one := range found.Variables {
		if typed := strings.TrimSpace(field(prefix + one.Name)); typed != "" {
			given[one.Name] = typed
		}
	}
	return given
}

// trialBooking returns the booking of a call to a simulated callee, the first one for unknown digits. It is not
// retried, except for the callee who answers the second attempt.
func trialBooking(found scenario.Scenario, digits string, l locale.Language) service.BookingRequest {
	all := simulatedPeople(l)
	number, attempts, delays := simulatedPrefix+all[0].digits, 1, []int(nil)
	for _, one := range all {
		if one.digits == digits {
			number = simulatedPrefix + digits
		}
	}
	if digits == "99" {
		attempts, delays = 2, []int{1}
	}
	return service.BookingRequest{
		PhoneNumber: number, ScenarioID: found.ID,
		Retry: &service.RetryRequest{MaxAttempts: &attempts, DelayMinutes: delays},
	}
}

package scenarios

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/ui/calls"
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
		{"91", scenarios.Declines.In(l)},
		{"96", scenarios.Busy.In(l)},
		{"92", scenarios.Unavailable.In(l)},
		{"93", scenarios.Voicemail.In(l)},
		{"94", scenarios.NoCarrier.In(l)},
	}
}

// tryForm returns the form of a trial call to a simulated callee with the typed values; nil for users who may not call,
// and without the simulator.
func (s handlers) tryForm(c echo.Context, plan scenario.Scenario) *scenarios.TryScenario {
	v := kit.RequestVisitor(c)
	if !s.Simulated || s.Ring == nil || !v.User.Role.Allows(account.Operator) {
		return nil
	}
	try := &scenarios.TryScenario{}
	for _, one := range simulatedPeople(v.Lang) {
		try.People = append(try.People, component.ListChoice{
			Value: one.digits, Name: one.digits + " · " + one.name, Chosen: c.FormValue("person") == one.digits,
		})
	}
	for _, one := range plan.Variables {
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

// tryScenario calls a simulated callee once, by the draft where there is one, and shows the trial. No telephone rings,
// so that no dialling rule holds.
func (s handlers) tryScenario(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	plan := found.Latest()
	try := s.tryForm(c, plan)
	if try == nil {
		return echo.NewHTTPError(http.StatusConflict, "this needs the simulator")
	}
	v, given := kit.RequestVisitor(c), typedVariables(plan, "variables.", c.FormValue)
	faults := booking.ExplainVariables(plan, given, v.Lang)
	for i := range try.Variables {
		try.Variables[i].Fault = faults["variables."+try.Variables[i].Name]
	}
	if service.CheckTalk(c.Request().Context(), plan) != nil {
		try.Fault = scenarios.EditorBroken.In(v.Lang)
	}
	if try.Fault != "" || len(faults) > 0 {
		return s.scenarioPage(c, http.StatusUnprocessableEntity, found, try, nil)
	}
	id, err := s.Ring(c.Request().Context(), service.TalkRequest{
		OrgID: v.Org.ID, Actor: v.AuditActor(), Scenario: plan, Variables: given,
	}, callrules.TransferTarget{Number: simulatedNumber(c.FormValue("person"), v.Lang)})
	var refused *service.ConflictError
	if errors.As(err, &refused) {
		try.Fault = scenarios.RingNoLine.In(v.Lang)
		return s.scenarioPage(c, http.StatusConflict, found, try, nil)
	}
	if err != nil {
		return err
	}
	return kit.RedirectTo(c, calls.CallsPath+"/"+id)
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

// simulatedNumber returns the number of a simulated callee, of the first one for unknown digits.
func simulatedNumber(digits string, l locale.Language) string {
	all := simulatedPeople(l)
	if !slices.ContainsFunc(all, func(one simulatedPerson) bool { return one.digits == digits }) {
		digits = all[0].digits
	}
	return simulatedPrefix + digits
}

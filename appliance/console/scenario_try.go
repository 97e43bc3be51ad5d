package console

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// trial is the prefix of the simulated callees' numbers, without the last two digits, which choose the callee.
const trial = "+9665000000"

// simulatedPerson is a simulated callee: the digits that choose it, and its description.
type simulatedPerson struct{ digits, name string }

// simulatedPeople returns the callees of a trial call.
func simulatedPeople(w locale.ScenariosWords) []simulatedPerson {
	return []simulatedPerson{
		{"00", w.Yields},
		{"70", w.Interrupts},
		{"80", w.Changes},
		{"83", w.Cancels},
		{"86", w.Keys},
		{"87", w.AsksAgain},
		{"88", w.Shy},
		{"89", w.Slow},
		{"98", w.Noisy},
		{"97", w.Silent},
		{"95", w.HangsUp},
		{"90", w.NoAnswer},
		{"99", w.Late},
		{"91", w.Declines},
		{"96", w.Busy},
		{"92", w.Unavailable},
		{"93", w.Voicemail},
		{"94", w.NoCarrier},
	}
}

// tryForm returns the form of a trial call, with the typed values; nil for users who may not call, and without the
// simulator.
func (s *ConsoleService) tryForm(c echo.Context, found scenario.Scenario) *page.TryScenario {
	v := requestVisitor(c)
	if !s.Simulated || !v.User.Role.Allows(account.Operator) {
		return nil
	}
	try := &page.TryScenario{}
	for _, one := range simulatedPeople(locale.ScenariosIn(v.Lang)) {
		try.People = append(try.People, page.ListChoice{
			Value: one.digits, Name: one.digits + " · " + one.name, Chosen: c.FormValue("person") == one.digits,
		})
	}
	for _, one := range found.Variables {
		try.Variables = append(try.Variables, page.ScenarioVariable{
			Name: one.Name, Label: one.Label, About: one.Description, Default: one.Default,
			Field: variableField(one, "variable-"+one.Name, "variables."+one.Name, c.FormValue("variables."+one.Name)),
		})
	}
	return try
}

// tryScenario calls a simulated callee once and shows the call.
func (s *ConsoleService) tryScenario(c echo.Context) error {
	ctx, v, now := c.Request().Context(), requestVisitor(c), s.Now().UTC()
	found, err := s.scenarioOf(c)
	if err != nil {
		return err
	}
	try := s.tryForm(c, found)
	if try == nil {
		return echo.NewHTTPError(http.StatusConflict, "the carrier is no simulator")
	}
	rules, err := s.Store.FindRules(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	w := locale.ScenariosIn(v.Lang)
	given, wrong := s.tryVariables(c, found, try, locale.VariablesIn(v.Lang))
	at, open := callrules.NextOpen(rules, found.CallingHours, found.TimeZone, now)
	if !open {
		try.Fault = w.Closed
	}
	if line, err := s.unspokenLine(ctx, v.Org.ID, found, given); err != nil {
		return err
	} else if line != "" && !wrong {
		wrong, try.Fault = true, strings.ReplaceAll(w.Unspoken, "{line}", line)
	}
	if wrong || !open {
		return s.scenarioPage(c, http.StatusUnprocessableEntity, found, try)
	}
	booked := trialOf(found, c.FormValue("person"), w)
	booked.OrgID, booked.Variables, booked.CreatedAt, booked.ScheduledAt = v.Org.ID, given, now, at.UTC()
	if at.After(now) {
		booked.Booking = call.Moved
	}
	if _, err := s.Store.BookCall(ctx, booked, v.auditActor(), nil); err != nil {
		return err
	}
	return redirectTo(c, Root+"/calls/"+booked.ID)
}

// tryVariables returns the typed variables; their faults are set in the form.
func (s *ConsoleService) tryVariables(
	c echo.Context, found scenario.Scenario, try *page.TryScenario, w locale.VariableWords,
) (given map[string]any, wrong bool) {
	given = map[string]any{}
	for _, one := range found.Variables {
		if typed := strings.TrimSpace(c.FormValue("variables." + one.Name)); typed != "" {
			given[one.Name] = typed
		}
	}
	faults := explainVariables(found, given, w)
	for i := range try.Variables {
		try.Variables[i].Fault = faults["variables."+try.Variables[i].Name]
	}
	return given, len(faults) > 0
}

// trialOf returns a call to a simulated callee, the first for unknown digits. It is not retried, except for the
// callee who answers on the second attempt.
func trialOf(found scenario.Scenario, digits string, w locale.ScenariosWords) call.Call {
	all := simulatedPeople(w)
	number, retry := trial+all[0].digits, call.RetryPlan{MaxAttempts: 1}
	for _, one := range all {
		if one.digits == digits {
			number = trial + digits
		}
	}
	if digits == "99" {
		retry = call.RetryPlan{MaxAttempts: 2, DelayMinutes: []int{1}}
	}
	id := call.NewID()
	return call.Call{
		ID: id, Status: call.Scheduled, PhoneNumber: number, ScenarioID: found.ID, Booking: call.Immediate,
		Attempt: call.AttemptChain{Number: 1, Max: retry.MaxAttempts, ChainID: id, Plan: retry},
	}
}

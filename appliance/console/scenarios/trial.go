package scenarios

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// Limits of a typed trial, whose state is only in the editor's form.
const (
	maxTrialAnswers = 100
	maxTrialText    = 500 // bytes of one answer
)

// The forms of a typed answer; see package conversation/rehearsal.
const (
	trialSays   = "say:"
	trialKeys   = "keys:"
	trialSilent = "silent"
	trialHangUp = "hangup"
)

// addTrial adds the typed trial to the editor: its form, and the conversation with the answers given.
func (s handlers) addTrial(
	c echo.Context, p *scenarios.ScenarioEditor, d *scenarioDraft, found service.FieldViolations,
) {
	if s.Rehearse == nil || !d.isReadable() {
		return
	}
	l := kit.RequestVisitor(c).Lang
	given := kit.SentForm(c)
	t := &scenarios.TypedTrial{On: given.Get("try.on") != "", Variables: trialVariables(d.plan, given, l)}
	p.Trial = t
	t.Answers = trialAnswers(given, c.FormValue("op"))
	switch op := c.FormValue("op"); {
	case op == "try":
		t.On = true
	case !t.On:
		return
	}
	if len(found) > 0 || len(d.badNumbers) > 0 {
		t.Fault = scenarios.TrialMendFirst.In(l)
		return
	}
	var replies []string
	if len(t.Answers) > 0 { // otherwise the conversation starts over
		replies = given["try.reply"]
	}
	out, err := s.RunTrial(c.Request().Context(), kit.TrialRequest{
		OrgID: kit.RequestVisitor(c).Org.ID, Scenario: d.plan, Answers: t.Answers, Replies: replies,
		Variables: typedVariables(d.plan, "try.var.", given.Get),
	})
	if err != nil {
		s.Log.Warn("a typed trial failed", "err", err)
		t.Fault = scenarios.TrialFailed.In(l)
	}
	fillTrial(t, d.plan, out, l)
}

// trialAnswers returns the answers given, with the one that a button adds.
func trialAnswers(given url.Values, op string) []string {
	all := slices.Clone(given["try.answer"])
	text := strings.Join(strings.Fields(given.Get("try.text")), " ")
	text = strings.ToValidUTF8(text[:min(len(text), maxTrialText)], "")
	if op == "check" && text != "" && given.Get("try.on") != "" {
		op = "try-say" // the Enter key submits the first button
	}
	switch op {
	case "try":
		return nil
	case "try-back":
		return all[:max(0, len(all)-1)]
	case "try-say":
		if text != "" {
			all = append(all, trialSays+text)
		}
	case "try-keys":
		if keys := pressedKeys(text); keys != "" {
			all = append(all, trialKeys+keys)
		}
	case "try-silent":
		all = append(all, trialSilent)
	case "try-hangup":
		all = append(all, trialHangUp)
	}
	return all[:min(len(all), maxTrialAnswers)]
}

// pressedKeys returns the telephone keys in a text.
func pressedKeys(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("0123456789*#", r) {
			return r
		}
		return -1
	}, kit.WesternDigits(text))
}

// trialVariables returns the variables of a booking as form fields.
func trialVariables(plan scenario.Scenario, given url.Values, l locale.Language) (out []scenarios.ScenarioVariable) {
	for _, one := range plan.Variables {
		name := "try.var." + one.Name
		shown := describeVariable(l, one)
		shown.Field = booking.VariableField(l, one, "f-"+name, name, given.Get(name))
		shown.Field.Required = false // a trial may leave it out
		out = append(out, shown)
	}
	return out
}

// describeVariable returns a variable with its label, description and default, without a field.
func describeVariable(l locale.Language, one scenario.ScenarioVariable) scenarios.ScenarioVariable {
	return scenarios.ScenarioVariable{
		Name: one.Name, Label: scenarios.LabelText(l, one.Label, one.Name), About: kit.DescriptionIn(l, one.Description),
		Default: one.Default,
	}
}

// fillTrial writes the state of the conversation to the page.
func fillTrial(t *scenarios.TypedTrial, plan scenario.Scenario, out kit.TrialOutcome, l locale.Language) {
	labels := kit.ScenarioLabels{Scenarios: []scenario.Scenario{plan}, Lang: l}
	for _, m := range out.Messages {
		t.Turns = append(t.Turns, scenarios.TrialTurn{Customer: m.Role == call.User, Text: m.Content})
	}
	t.Waiting = out.Waiting
	slots := plan.AllSlots()
	if i := slices.IndexFunc(slots, func(s scenario.AnswerSlot) bool { return s.Name == out.Slot }); i >= 0 {
		t.Asks = scenarios.LabelText(l, slots[i].Label, out.Slot) + " (" + scenarios.SlotName(l, out.Kind) + ")"
	}
	t.Phrases, t.Replies, t.Model = out.Phrases, out.Replies, modelNote(plan, out.Model, l)
	for _, slot := range slots {
		if value, found := out.Slots[slot.Name]; found && value != nil {
			t.Slots = append(t.Slots, calls.CallAnswer{
				Slot:  scenarios.LabelText(l, slot.Label, slot.Name),
				Value: labels.AnswerLabel(plan.ID, slot.Name, scenarios.PlainJSON(value)),
			})
		}
	}
	for _, e := range out.Errors {
		t.Troubles = append(t.Troubles, labels.ErrorText(plan, e.Message))
	}
	if out.Waiting || out.Status == "" {
		return
	}
	t.Over, t.Report = scenarios.TrialOver.In(l), kit.ReportText(out.Report)
	switch {
	case out.Transferred != "":
		t.Over = locale.FillSentence(scenarios.TrialTransferred.In(l), "to", out.Transferred)
	case out.Suppressed:
		t.Over = scenarios.TrialSuppressed.In(l)
	}
	t.Status = string(out.Status)
}

// modelNote describes the use of the language model in a trial; nil if none was needed.
func modelNote(plan scenario.Scenario, state string, l locale.Language) *scenarios.TrialNote {
	if plan.LLM == nil {
		return nil
	}
	text := map[string]locale.Text{
		"asked": scenarios.TrialModelAsked, "missing": scenarios.TrialModelMissing, "failed": scenarios.TrialModelFailed,
	}[state].In(l)
	if text == "" {
		return nil
	}
	patience := formatWholeSeconds(l, plan.LLM.ReplyTimeout())
	return &scenarios.TrialNote{
		Bad: state != "asked", Text: locale.FillSentence(text, "name", plan.LLM.Endpoint, "time", patience),
	}
}

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
		name := "variables." + one.Name
		shown := describeVariable(v.Lang, one)
		shown.Field = booking.VariableField(v.Lang, one, "variable-"+one.Name, name, c.FormValue(name))
		try.Variables = append(try.Variables, shown)
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
	if _, ok := errors.AsType[*service.ConflictError](err); ok {
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

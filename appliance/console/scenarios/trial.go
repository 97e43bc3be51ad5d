package scenarios

import (
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/calls"
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
		out = append(out, scenarios.ScenarioVariable{
			Name: one.Name, Label: scenarios.LabelText(l, one.Label, one.Name), About: one.Description, Default: one.Default,
			Field: booking.VariableField(l, one, "f-"+name, name, given.Get(name)),
		})
	}
	for i := range out {
		out[i].Field.Required = false // a trial may leave it out
	}
	return out
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

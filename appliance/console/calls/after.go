package calls

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// actorNamer returns the display name of an actor; the names of users are cached.
type actorNamer = func(actor string) string

// addAmendments adds the staff's notes, marks and corrections of a call, and the forms for more.
func (s handlers) addAmendments(
	ctx context.Context, v kit.Visitor, c call.Call, k booking.Context, p *calls.CallView,
) error {
	names, labels := s.NewActorNamer(ctx, v.Lang), k.Labels()
	p.After.May = v.User.Role.Allows(account.Operator) && c.ErasedAt == nil
	for _, n := range c.Notes {
		n.By = names(n.By)
		p.After.Notes = append(p.After.Notes, n)
	}
	p.After.Need = needView(c.Need, v, names)
	p.After.Corrections = correctedAnswers(c, labels, names)
	markTurns(c, names, p)
	p.Transfers = nameStaff(c.Transfers, names)
	if c.ErasedAt == nil && c.PhoneNumber != "" {
		found, err := s.FindActiveSuppression(ctx, v.Org.ID, c.PhoneNumber)
		if err != nil {
			return err
		}
		p.After.Suppressed, p.After.MaySuppress = found, p.After.May
	}
	if !p.After.May || !c.Status.IsFinal() {
		return nil
	}
	for i := range p.Turns {
		p.Turns[i].MayCorrect = p.Turns[i].Role == call.User
	}
	plan, err := s.UseCases.ScenarioOfCall(ctx, c)
	p.After.Fields = answerFields(c, plan, labels)
	return err
}

// nameStaff returns the transfers of a call, with the members of staff at a browser by name.
func nameStaff(transfers []call.CallTransfer, names actorNamer) []call.CallTransfer {
	named := slices.Clone(transfers)
	for i, t := range named {
		if t.Way == call.BrowserWay {
			named[i].To = names(t.To)
		}
	}
	return named
}

// needView returns a call's follow-up for display; nil without one.
func needView(n *call.PersonNeed, v kit.Visitor, names actorNamer) *calls.CallNeed {
	if n == nil {
		return nil
	}
	shown := calls.CallNeed{
		Open: n.IsOpen(), Mine: n.TakenBy == v.AuditActor(), At: n.At,
		Reason: calls.AfterReasons.Word(v.Lang, string(n.Reason)),
	}
	if n.Reason == call.NeedStaff {
		shown.Reason = locale.FillSentence(calls.AfterNeedWhy.In(v.Lang), "who", names(n.By))
	}
	if n.TakenBy != "" {
		shown.TakenBy = names(n.TakenBy)
	}
	if n.DoneAt != nil {
		shown.DoneAt, shown.DoneBy = *n.DoneAt, names(n.DoneBy)
	}
	return &shown
}

// correctedAnswers returns the corrections of a call's report, oldest first.
func correctedAnswers(c call.Call, labels kit.ScenarioLabels, names actorNamer) (all []calls.CorrectedAnswer) {
	before := c
	for i, one := range c.Corrections {
		if one.Slot == "" {
			continue
		}
		before.Corrections = c.Corrections[:i]
		all = append(all, calls.CorrectedAnswer{
			Label: labels.SlotLabel(c.ScenarioID, one.Slot), At: one.At, By: names(one.By),
			Before: labels.AnswerLabel(c.ScenarioID, one.Slot, answerText(reportValue(before, one.Slot))),
			After:  labels.AnswerLabel(c.ScenarioID, one.Slot, answerText(one.Value)),
		})
	}
	return all
}

// reportValue returns a value of a call's corrected report.
func reportValue(c call.Call, slot string) json.RawMessage {
	var values map[string]json.RawMessage
	_ = json.Unmarshal(c.CurrentReport(), &values) // an unreadable report has no values
	return values[slot]
}

// answerText formats a report's value for a form field; empty for null.
func answerText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// markTurns adds the original words and the author to corrected turns.
func markTurns(c call.Call, names actorNamer, p *calls.CallView) {
	by := map[int]string{}
	for _, one := range c.Corrections {
		if one.Message != nil {
			by[*one.Message] = one.By
		}
	}
	for i := range p.Turns {
		m := &p.Turns[i]
		if actor := by[m.Index]; actor != "" && m.Index < len(c.Messages) {
			m.Heard, m.CorrectedBy = c.Messages[m.Index].Content, names(actor)
		}
	}
}

// answerFields returns the form fields that correct a call's report, one for each slot of the scenario.
func answerFields(c call.Call, plan scenario.Scenario, labels kit.ScenarioLabels) (fields []form.Field) {
	for _, shown := range labels.ReportSlots(c) {
		slot, known := plan.ReportSlot(shown.Name)
		if !known {
			continue
		}
		values := []string{}
		if slot.Type == scenario.YesNo {
			values = append(values, "true", "false")
		}
		for _, option := range slot.Choices {
			values = append(values, option.Value)
		}
		var options []form.Option
		for _, value := range values {
			options = append(options, form.Option{Value: value, Name: labels.AnswerLabel(c.ScenarioID, shown.Name, value)})
		}
		value := answerText(reportValue(c, shown.Name))
		fields = append(fields, calls.AnswerInput(slot, labels.Lang, shown.Name, shown.Label, value, options)...)
	}
	return fields
}

// addNote adds a note to a call.
func (s handlers) addNote(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	_, err := s.UseCases.AddNote(c.Request().Context(), kit.RequestCaller(c), c.Param("id"), c.FormValue("text"), nil)
	return redirectAmended(c, err, calls.AfterNoteAdded.In(l), calls.AfterNoteBad.In(l), calls.AfterFull.In(l))
}

// changeFollowUp changes a call's follow-up: mark it as needing a person, take it, leave it, or end it.
func (s handlers) changeFollowUp(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	done := map[string]struct {
		kind call.AmendKind
		said string
	}{
		"mark": {call.AmendMark, calls.AfterMarked.In(l)}, "take": {call.AmendTake, calls.AfterTaken.In(l)},
		"leave": {call.AmendLeave, calls.AfterLeft.In(l)},
		"done":  {call.AmendDone, calls.AfterDone.In(l)},
	}
	action, known := done[c.FormValue("action")]
	if !known {
		return kit.RefuseForm("there is no such action")
	}
	text := ""
	if action.kind == call.AmendDone {
		text = c.FormValue("text")
	}
	_, err := s.UseCases.FollowUp(c.Request().Context(), kit.RequestCaller(c), c.Param("id"), action.kind, text, nil)
	return redirectAmended(c, err, action.said, calls.AfterNoteBad.In(l), calls.AfterRefused.In(l))
}

// correctTurn corrects the words of a turn: all, or the one that the form names.
func (s handlers) correctTurn(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	turn, err := readTurn(c)
	if err != nil {
		return kit.RefuseForm("there is no such turn or word")
	}
	turns := []service.TurnCorrection{turn}
	_, err = s.UseCases.CorrectCall(c.Request().Context(), kit.RequestCaller(c), c.Param("id"), nil, turns, nil)
	bad := calls.AfterBadTurn.In(l)
	var broken *service.ViolationError
	if errors.As(err, &broken) && broken.Violations[0].Field == ".word" {
		bad = calls.AfterWordChanged.In(l)
	}
	return redirectAmended(c, err, calls.AfterCorrected.In(l), bad, calls.AfterFull.In(l))
}

// readTurn parses the form that corrects a turn or one word of it.
func readTurn(c echo.Context) (turn service.TurnCorrection, err error) {
	turn.Content = c.FormValue("content")
	if turn.Index, err = strconv.Atoi(c.FormValue("index")); err != nil || c.FormValue("word") == "" {
		return turn, err
	}
	number, err := strconv.Atoi(c.FormValue("word"))
	turn.Word = &service.WordPlace{Number: number, Was: c.FormValue("was")}
	return turn, err
}

// correctAnswers corrects the answers that the form changed.
func (s handlers) correctAnswers(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	found, err := s.requestCall(c)
	if err != nil {
		return err
	}
	plan, err := s.UseCases.ScenarioOfCall(ctx, found)
	if err != nil {
		return err
	}
	all, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return err
	}
	labels := kit.ScenarioLabels{Scenarios: all, Lang: v.Lang}
	var changed []service.AnswerCorrection
	for _, shown := range labels.ReportSlots(found) {
		name := shown.Name
		typed := strings.TrimSpace(c.FormValue("answer." + name))
		if slot, known := plan.ReportSlot(name); known && typed != c.FormValue("was."+name) {
			changed = append(changed, service.AnswerCorrection{Slot: name, Value: parseAnswer(slot, typed), Path: name})
		}
	}
	if len(changed) == 0 {
		return kit.RedirectSaying(c, calls.CallsPath+"/"+found.ID, calls.AfterNothingChanged.In(v.Lang))
	}
	_, err = s.UseCases.CorrectCall(ctx, kit.RequestCaller(c), found.ID, changed, nil, nil)
	bad := calls.AfterBadAnswer.In(v.Lang)
	if broken, ok := errors.AsType[*service.ViolationError](err); ok {
		bad = locale.FillSentence(bad, "name", labels.SlotLabel(found.ScenarioID, broken.Violations[0].Field))
	}
	return redirectAmended(c, err, calls.AfterCorrected.In(v.Lang), bad, calls.AfterFull.In(v.Lang))
}

// parseAnswer parses a field of the form by the type of its slot. Malformed input is returned as text, which the use
// case refuses as a value of the wrong type.
func parseAnswer(slot scenario.AnswerSlot, typed string) any {
	if typed == "" {
		return nil
	}
	switch slot.Type {
	case scenario.YesNo:
		if yes, err := strconv.ParseBool(typed); err == nil {
			return yes
		}
	case scenario.Number:
		if n, err := strconv.ParseFloat(typed, 64); err == nil {
			return n
		}
	}
	return typed
}

// redirectAmended redirects to the call, or to the queue, with the result of a change.
func redirectAmended(c echo.Context, err error, done, invalid, refused string) error {
	switch store.CodeOf(err) {
	case store.CodeInvalid:
		kit.FlashProblem(c, invalid)
	case store.CodeConflict:
		kit.FlashProblem(c, refused)
	default:
		if err != nil {
			return err
		}
		kit.FlashMessage(c, done)
	}
	if c.FormValue("back") == calls.QueuePath {
		return kit.RedirectTo(c, calls.QueuePath)
	}
	return kit.RedirectTo(c, calls.CallsPath+"/"+c.Param("id"))
}

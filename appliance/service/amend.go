package service

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/jsontext"
	"munadi/store/scenario"
)

// AddNote adds a note to a call; broken are violations of the request.
func (u *UseCases) AddNote(
	ctx context.Context, who Caller, id, text string, broken FieldViolations,
) (call.Call, error) {
	if len(broken) == 0 && strings.TrimSpace(text) == "" {
		broken.AddViolation("text", "is required")
	}
	return u.amendCall(ctx, who, id, call.Amendment{Kind: call.AmendNote, Text: text}, broken)
}

// FollowUp changes the follow-up state of a call by kind: marks it, takes it, leaves it or closes it. With a text it
// adds a note.
func (u *UseCases) FollowUp(
	ctx context.Context, who Caller, id string, kind call.AmendKind, text string, broken FieldViolations,
) (call.Call, error) {
	return u.amendCall(ctx, who, id, call.Amendment{Kind: kind, Text: text}, broken)
}

// amendCall checks the text of an amendment and applies it. It returns the call with its messages.
func (u *UseCases) amendCall(
	ctx context.Context, who Caller, id string, a call.Amendment, broken FieldViolations,
) (call.Call, error) {
	found, err := u.FindCall(ctx, who.OrgID, id)
	if err != nil {
		return found, err
	}
	if a.Text = strings.TrimSpace(a.Text); a.Text != "" && !call.IsValidNote(a.Text) {
		broken.AddViolation("text", "must be a text of at most %d characters", call.MaxNoteLength)
	}
	if err := violationError(broken...); err != nil {
		return found, err
	}
	amended, err := u.Store.AmendCall(ctx, who.OrgID, id, a, who.Actor, u.now())
	amended.Messages = found.Messages
	return amended, explainConflict(err, StateForbidden, "")
}

// AnswerCorrection corrects an answer of a call's report.
type AnswerCorrection struct {
	Slot  string // property of the report
	Value any    // JSON scalar of the slot's type; nil: unknown
	Path  string // of the answer in the request, the prefix of violations' fields
}

// TurnCorrection corrects the words of a turn of the called person.
type TurnCorrection struct {
	Index   int // in the messages of the call's transcript
	Content string
	Word    *WordPlace // the word that Content replaces; nil: the whole turn
	Path    string
}

// CorrectCall corrects answers of a call's report, by the types of the scenario's slots, and words of its transcript.
// Unchanged values are ignored.
func (u *UseCases) CorrectCall(
	ctx context.Context, who Caller, id string, answers []AnswerCorrection, turns []TurnCorrection, broken FieldViolations,
) (call.Call, error) {
	found, err := u.FindCall(ctx, who.OrgID, id)
	if err != nil {
		return found, err
	}
	plan, err := u.ScenarioOfCall(ctx, found)
	if err != nil {
		return found, err
	}
	a := call.Amendment{Kind: call.AmendCorrect}
	for _, one := range answers {
		if corrected := checkAnswer(ctx, found, plan, one, &broken); corrected != nil {
			a.Corrections = append(a.Corrections, *corrected)
		}
	}
	for _, one := range turns {
		if corrected := checkTurn(found, one, &broken); corrected != nil {
			a.Corrections = append(a.Corrections, *corrected)
		}
	}
	if len(answers)+len(turns) == 0 && len(broken) == 0 {
		broken.AddViolation("answers", "must have a correction, unless messages has one")
	}
	if err := violationError(broken...); err != nil {
		return found, err
	}
	return u.amendCall(ctx, who, id, a, nil)
}

// ScenarioOfCall returns the scenario in the version that the call used, or the current one if that version is not
// stored; the zero one if it was deleted.
func (u *UseCases) ScenarioOfCall(ctx context.Context, c call.Call) (scenario.Scenario, error) {
	if c.ScenarioVersion > 0 {
		held, err := u.Store.FindScenarioVersion(ctx, c.OrgID, c.ScenarioID, c.ScenarioVersion)
		if store.CodeOf(err) != store.CodeNotFound {
			return held.Scenario, err
		}
	}
	plan, _, err := u.FindScenario(ctx, c.OrgID, c.ScenarioID)
	return plan, err
}

// checkAnswer returns a correction of the report; nil if it changes no value or violates a rule.
func checkAnswer(
	ctx context.Context, c call.Call, plan scenario.Scenario, one AnswerCorrection, broken *FieldViolations,
) *call.CallCorrection {
	slot, known := plan.ReportSlot(one.Slot)
	if !known || len(c.Report) > 0 && reportedValue(c, one.Slot) == nil {
		broken.AddViolation(one.Path, "is not an answer of this call's scenario")
		return nil
	}
	if one.Value != nil && !scenario.ValidSlotValue(ctx, slot, one.Value) {
		broken.AddViolation(one.Path, "must be %s, or null", describeSlot(slot))
		return nil
	}
	value, err := jsontext.MarshalUnescaped(one.Value)
	if err != nil {
		broken.AddViolation(one.Path, "must be %s, or null", describeSlot(slot))
		return nil
	}
	corrected := call.CallCorrection{Slot: one.Slot, Value: value}
	after := c
	after.Corrections = append(after.Corrections[:len(after.Corrections):len(after.Corrections)], corrected)
	if bytes.Equal(value, reportedValue(c, one.Slot)) {
		return nil
	}
	if !fitsSchema(ctx, plan, after.CurrentReport(), one.Slot) {
		broken.AddViolation(one.Path, "does not follow the schema of the scenario's report")
		return nil
	}
	return &corrected
}

// reportedValue returns a value of a call's report, as corrected; nil without one.
func reportedValue(c call.Call, slot string) json.RawMessage {
	var values map[string]json.RawMessage
	if json.Unmarshal(c.CurrentReport(), &values) != nil {
		return nil
	}
	return values[slot]
}

// fitsSchema reports whether a property of a report follows the scenario's schema.
func fitsSchema(ctx context.Context, plan scenario.Scenario, report json.RawMessage, property string) bool {
	schema, err := scenario.CompileSchema(scenario.SchemaOf(plan))
	if err != nil || len(report) == 0 {
		return true // the store refuses calls without a report
	}
	wrong, err := schema.ValidateReport(ctx, report)
	for _, name := range wrong {
		if name == property {
			return false
		}
	}
	return err == nil || len(wrong) > 0
}

// describeSlot describes the accepted values of a slot.
func describeSlot(slot scenario.AnswerSlot) string {
	switch slot.Type {
	case scenario.YesNo:
		return "true or false"
	case scenario.Number:
		return "a number" + describeRange(slot)
	case scenario.Date:
		return "a date YYYY-MM-DD"
	case scenario.Time:
		return "a time HH:MM"
	case scenario.Choice:
		var values []string
		for _, option := range slot.Choices {
			values = append(values, option.Value)
		}
		return "one of " + strings.Join(values, ", ")
	default:
		return fmt.Sprintf("a text of 1 to %d characters", scenario.MaxText)
	}
}

// describeRange describes the bounds of a number; empty without any.
func describeRange(slot scenario.AnswerSlot) string {
	text := ""
	if slot.Min != nil {
		text += fmt.Sprintf(", at least %v", *slot.Min)
	}
	if slot.Max != nil {
		text += fmt.Sprintf(", at most %v", *slot.Max)
	}
	return text
}

// checkTurn returns a correction of the transcript; nil if it changes no word or violates a rule.
func checkTurn(c call.Call, one TurnCorrection, broken *FieldViolations) *call.CallCorrection {
	if one.Index < 0 || one.Index >= len(c.Messages) || c.Messages[one.Index].Role != call.User {
		broken.AddViolation(one.Path, "must be the index of a turn of the called person in the transcript's messages")
		return nil
	}
	content, found := correctedContent(c, one, broken)
	switch {
	case !found:
	case !call.IsValidNote(content):
		broken.AddViolation(one.Path+".content", "must be a text of 1 to %d characters", call.MaxNoteLength)
	case c.CurrentMessages()[one.Index].Content != content:
		return &call.CallCorrection{Message: &one.Index, Content: content}
	}
	return nil
}

// WordPlace identifies one word of a turn: its index among the turn's words, which are separated by white space, and
// the word that was displayed there.
type WordPlace struct {
	Number int
	Was    string
}

// replaceWord returns a turn's text with one word replaced by any number of words; false if the turn was corrected
// since and has another word there.
func replaceWord(content string, at WordPlace, by string) (string, bool) {
	words := strings.Fields(content)
	if at.Number < 0 || at.Number >= len(words) || words[at.Number] != at.Was {
		return content, false
	}
	return strings.Join(slices.Replace(words, at.Number, at.Number+1, strings.Fields(by)...), " "), true
}

// correctedContent returns a turn's corrected text; false with a violation when the word to replace is not in it.
func correctedContent(c call.Call, one TurnCorrection, broken *FieldViolations) (string, bool) {
	if one.Word == nil {
		return strings.TrimSpace(one.Content), true
	}
	content, found := replaceWord(c.CurrentMessages()[one.Index].Content, *one.Word, one.Content)
	if !found {
		broken.AddViolation(one.Path+".word", "is not in the turn any more")
	}
	return content, found
}

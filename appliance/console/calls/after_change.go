package calls

import (
	"errors"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/locale"
)

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
	var broken *service.ViolationError
	if errors.As(err, &broken) {
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

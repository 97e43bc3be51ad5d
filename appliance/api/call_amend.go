package api

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/store/call"
	"munadi/store/strictjson"
)

// mountAmendments adds the routes for notes, follow-up marks and corrections by staff.
func (s *APIService) mountAmendments(e *echo.Echo) {
	s.addWriteRoute(e, http.MethodPost, "/calls/:call_id/notes", s.addNote)
	s.addWriteRoute(e, http.MethodPost, "/calls/:call_id/needs_person", s.changeNeed)
	s.addWriteRoute(e, http.MethodPost, "/calls/:call_id/corrections", s.correctCall)
	s.addWriteRoute(e, http.MethodPost, "/calls/:call_id/call_back", s.callBack)
}

// noteBody is the request body of POST /calls/{call_id}/notes.
type noteBody struct {
	Text string `json:"text"`
}

// addNote adds a note to a call.
func (s *APIService) addNote(c echo.Context) error {
	var b noteBody
	return s.changeCall(c, http.StatusCreated, &b,
		func(ctx context.Context, who service.Caller, id string, broken service.FieldViolations) (call.Call, error) {
			return s.UseCases.AddNote(ctx, who, id, b.Text, broken)
		})
}

// needBody is the request body of POST /calls/{call_id}/needs_person.
type needBody struct {
	Action *string `json:"action"` // absent: mark; null is refused, since it says nothing
	Text   string  `json:"text"`
}

// needActions are the actions of needs_person.
func needActions() map[string]call.AmendKind {
	return map[string]call.AmendKind{
		"mark": call.AmendMark, "take": call.AmendTake, "leave": call.AmendLeave, "done": call.AmendDone,
	}
}

// changeNeed marks a call for follow-up by a person, or sets who follows it up.
func (s *APIService) changeNeed(c echo.Context) error {
	usual := "mark"
	b := needBody{Action: &usual}
	return s.changeCall(c, http.StatusOK, &b,
		func(ctx context.Context, who service.Caller, id string, broken service.FieldViolations) (call.Call, error) {
			kind, known := call.AmendKind(""), false
			if b.Action != nil {
				kind, known = needActions()[*b.Action]
			}
			if !known {
				broken.AddViolation("action", "must be one of %s", joinWords(slices.Sorted(maps.Keys(needActions()))))
			}
			return s.UseCases.FollowUp(ctx, who, id, kind, b.Text, broken)
		})
}

// correctionsBody is the request body of POST /calls/{call_id}/corrections.
type correctionsBody struct {
	Answers  map[string]any `json:"answers"`
	Messages []turnBody     `json:"messages"`
}

// turnBody is the corrected text of one message.
type turnBody struct {
	Index   int    `json:"index"`
	Content string `json:"content"`
}

// correctCall corrects answers of a call's report and words of its transcript.
func (s *APIService) correctCall(c echo.Context) error {
	var b correctionsBody
	return s.changeCall(c, http.StatusCreated, &b,
		func(ctx context.Context, who service.Caller, id string, broken service.FieldViolations) (call.Call, error) {
			var answers []service.AnswerCorrection
			for _, slot := range slices.Sorted(maps.Keys(b.Answers)) {
				answers = append(answers, service.AnswerCorrection{
					Slot: slot, Value: b.Answers[slot], Path: strictjson.JoinPath("answers", slot),
				})
			}
			var turns []service.TurnCorrection
			for i, m := range b.Messages {
				turns = append(turns, service.TurnCorrection{
					Index: m.Index, Content: m.Content, Path: "messages." + strconv.Itoa(i),
				})
			}
			return s.UseCases.CorrectCall(ctx, who, id, answers, turns, broken)
		})
}

// changeCall reads the body of a request about a call, makes the change and answers with the call.
func (s *APIService) changeCall(
	c echo.Context, status int, body any,
	change func(ctx context.Context, who service.Caller, id string, broken service.FieldViolations) (call.Call, error),
) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	broken := strictjson.BindValue(parsed, body)
	amended, err := change(c.Request().Context(), requestCaller(c), found.ID, broken)
	return s.answerCall(c, status, amended, err)
}

// callBackBody is the request body of POST /calls/{call_id}/call_back.
type callBackBody struct {
	Extension string `json:"extension"` // a key has none of its own
}

// callBack rings a member of staff, then the person of a call, and joins both.
func (s *APIService) callBack(c echo.Context) error {
	var b callBackBody
	return s.changeCall(c, http.StatusAccepted, &b,
		func(ctx context.Context, who service.Caller, id string, broken service.FieldViolations) (call.Call, error) {
			return s.UseCases.CallBack(ctx, who, id, b.Extension, broken)
		})
}

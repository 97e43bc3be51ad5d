package scenarios

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/appliance/tts"
	"munadi/engine/audio"
	"munadi/store"
	"munadi/store/scenario"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// maxRecordingBytes is the size limit of an uploaded recording of a line.
const maxRecordingBytes = 25 << 20

// Buttons of a line's recorder; each is followed by the line's path in the scenario.
const (
	recordOpen   = "record:"
	recordKeep   = "record-keep:"
	recordRemove = "record-remove:"
)

// openRecorder is the line of the form whose recorder is open.
type openRecorder struct {
	path, fault string
}

// recordLine handles a button of a line's recorder: it opens the recorder, stores the uploaded file, or removes the
// recording. said is the success message, status the page's.
func (s handlers) recordLine(c echo.Context) (open openRecorder, said string, status int, err error) {
	op, l := c.FormValue("op"), kit.RequestVisitor(c).Lang
	if path, is := strings.CutPrefix(op, recordOpen); is {
		return openRecorder{path: path}, "", http.StatusOK, nil
	}
	ctx, who := c.Request().Context(), kit.RequestCaller(c)
	if path, is := strings.CutPrefix(op, recordKeep); is {
		fault, err := s.saveRecording(c, c.FormValue(path))
		if err != nil || fault != "" {
			return openRecorder{path, fault}, "", http.StatusUnprocessableEntity, err
		}
		return openRecorder{}, scenarios.RecorderKept.In(l), http.StatusOK, nil
	}
	if path, is := strings.CutPrefix(op, recordRemove); is {
		err = s.UseCases.RemoveLineRecording(ctx, who, c.FormValue(path))
		if store.CodeOf(err) == store.CodeNotFound {
			err = nil // it was removed already
		}
		return openRecorder{}, scenarios.RecorderRemoved.In(l), http.StatusOK, err
	}
	return openRecorder{}, "", http.StatusOK, nil
}

// saveRecording stores the uploaded file as the recording of a text; fault describes an unusable file.
func (s handlers) saveRecording(c echo.Context, text string) (fault string, err error) {
	l := kit.RequestVisitor(c).Lang
	head, err := c.FormFile("file")
	if err != nil || head.Size == 0 {
		return scenarios.RecorderNoFile.In(l), nil
	}
	if head.Size > maxRecordingBytes {
		return scenarios.RecorderTooLarge.In(l), nil
	}
	file, err := head.Open()
	if err != nil {
		return "", err
	}
	defer file.Close()
	leave, err := s.EnterTrial(c.Request().Context()) // decoding takes processor time
	if err != nil {
		return "", err
	}
	defer leave()
	wav, err := tts.DecodeLine(c.Request().Context(), file)
	if err == nil {
		err = s.UseCases.RecordLine(c.Request().Context(), kit.RequestCaller(c), text, wav)
	}
	return describeRecordingError(err, l)
}

// describeRecordingError returns the sentence for an error that the user can correct; any other error is returned.
func describeRecordingError(err error, l locale.Language) (fault string, other error) {
	var sound *audio.DecodeError
	var broken *service.ViolationError
	var conflict *service.ConflictError
	switch {
	case err == nil:
		return "", nil
	case errors.Is(err, context.Canceled):
		return "", err
	case errors.Is(err, tts.ErrSilent), errors.As(err, &sound) && sound.Code == audio.CodeEmpty:
		return scenarios.RecorderSilent.In(l), nil
	case errors.As(err, &sound) && sound.Code == audio.CodeTooLong:
		return scenarios.RecorderTooLong.In(l), nil
	case errors.As(err, &sound):
		return scenarios.RecorderNotSound.In(l), nil
	case errors.As(err, &broken):
		return scenarios.RecorderNotFixed.In(l), nil
	case errors.As(err, &conflict):
		return scenarios.RecorderTooMany.In(l), nil
	}
	return "", err
}

// markRecordings marks the lines of a form that have a recording, and opens the recorder of one. The fault of a line
// that no longer has a recorder is shown at the top of the page.
func (s handlers) markRecordings(c echo.Context, p *scenarios.ScenarioEditor, open openRecorder) {
	if s.UseCases.Lines == nil {
		return
	}
	if open.fault != "" {
		p.Flash = &layout.FlashMessage{Text: open.fault, Bad: true}
	}
	orgID := kit.RequestVisitor(c).Org.ID
	p.Form.EachLine(func(line *scenarios.SpokenInput) {
		if line.Text.Value == "" {
			return
		}
		line.MayRecord = line.Fixed
		if line.Fixed {
			line.Recorded, line.Removable = s.UseCases.Lines.HasRecording(orgID, line.Text.Value)
		}
		if line.Text.FieldName() == open.path && line.Fixed {
			line.Recorder = &scenarios.LineRecorder{Fault: open.fault, Longest: int(tts.LongestRecording.Seconds())}
			p.Flash = nil
		}
	})
}

// serveScenarioLine serves the audio of a fixed line of a scenario as callees hear it; the query names the line by its
// number among all lines.
func (s handlers) serveScenarioLine(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	found = found.Latest()
	lines := found.SpokenLines()
	n, err := strconv.Atoi(c.QueryParam("line"))
	if err != nil || n < 0 || n >= len(lines) || !scenario.IsFixed(lines[n].Text) {
		return kit.NewNotFoundError("no such line")
	}
	return s.SendSpeech(c, found.Voice, lines[n].Text)
}

// serveDraftLine serves the audio of a line of a draft.
func (s handlers) serveDraftLine(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(c.QueryParam("text"))
	if text == "" || utf8.RuneCountInString(text) > scenario.MaxText || !scenario.IsFixed(text) {
		return kit.NewNotFoundError("no such line")
	}
	return s.SendSpeech(c, found.Latest().Voice, text)
}

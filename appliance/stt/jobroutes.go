package stt

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/multipartform"
	"munadi/engine/audio"
	"munadi/store"
	"munadi/store/job"
	"munadi/store/jsontext"
)

// getJob handles GET /compat/v1/audio/jobs/{id}.
func (s *TranscriptionService) getJob(c echo.Context) error {
	j, order, err := s.findJob(c)
	if err != nil {
		return err
	}
	b, err := jobBodyOf(j)
	if err != nil {
		return err
	}
	c.Response().Header().Set(headerMode, string(order.Mode))
	return c.JSON(http.StatusOK, b)
}

// findJob returns the organization's job of the path, and its order.
func (s *TranscriptionService) findJob(c echo.Context) (j job.Job, order transcriptionOrder, err error) {
	j, err = s.Store.FindJob(c.Request().Context(), requestPrincipal(c).OrgID, c.Param("id"))
	if err != nil {
		return j, order, s.explainError(err, s.jobDecoder(), 0)
	}
	order.face, order.words = compatFace, true
	return j, order, json.Unmarshal(j.Parameters, &order)
}

// listForm is the query of the list.
type listForm struct {
	Limit  int    `query:"limit" default:"50" ge:"1" le:"200"`
	Cursor string `query:"cursor" maxlen:"1024"`
}

type jobListBody struct {
	Data       []listedJobBody `json:"data"`
	NextCursor *string         `json:"next_cursor"`
	Warnings   []string        `json:"warnings,omitempty"` // what is missing because it is damaged
}

// listedJobBody is a job without its result.
type listedJobBody struct {
	jobBody
	CreatedAt  string  `json:"created_at"`
	FinishedAt *string `json:"finished_at"`
}

// listJobs handles GET /compat/v1/audio/jobs, newest first.
func (s *TranscriptionService) listJobs(c echo.Context) error {
	var q listForm
	if err := multipartform.DecodeQuery(c.Request(), &q); err != nil {
		return err
	}
	page, err := s.Store.JobsPage(c.Request().Context(), requestPrincipal(c).OrgID, q.Limit, q.Cursor)
	if store.CodeOf(err) == store.CodeInvalid {
		return multipartform.ValidationError{{
			Type: "value_error", Loc: []any{"query", "cursor"}, Msg: "Value error, this is not a cursor of this list",
			Input: q.Cursor, Ctx: map[string]any{"error": map[string]any{}},
		}}
	}
	if err != nil {
		return err
	}
	b := jobListBody{Data: []listedJobBody{}, Warnings: store.DamageReportOf(c.Request().Context()).Warnings()}
	if page.Next != "" {
		b.NextCursor = &page.Next
	}
	for _, j := range page.Items {
		one, err := jobBodyOf(j)
		if err != nil {
			return err
		}
		listed := listedJobBody{jobBody: one, CreatedAt: jsontext.FormatTime(j.CreatedAt)}
		if j.FinishedAt != nil {
			at := jsontext.FormatTime(*j.FinishedAt)
			listed.FinishedAt = &at
		}
		b.Data = append(b.Data, listed)
	}
	return c.JSON(http.StatusOK, b)
}

// deleteJob handles DELETE /compat/v1/audio/jobs/{id}: it cancels a job and deletes its data.
func (s *TranscriptionService) deleteJob(c echo.Context) error {
	j, err := s.Store.RemoveJob(c.Request().Context(), requestPrincipal(c).OrgID, c.Param("id"))
	if err != nil {
		return s.explainError(err, s.jobDecoder(), 0)
	}
	s.running.cancelJob(j)
	if err := s.removeUpload(c.Request().Context(), j); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// resultForm is the query of a result; the default format is the job's own.
type resultForm struct {
	Format *string `query:"format" literal:"json|text|verbose_json|srt|vtt"`
}

// getResult handles GET /compat/v1/audio/jobs/{id}/result.
func (s *TranscriptionService) getResult(c echo.Context) error {
	var q resultForm
	if err := multipartform.DecodeQuery(c.Request(), &q); err != nil {
		return err
	}
	j, order, err := s.findJob(c)
	if err != nil {
		return err
	}
	switch {
	case j.Failure != nil:
		return &middleware.HTTPProblem{Status: http.StatusConflict, Detail: detailOf(j.Failure)}
	case j.Result == nil:
		return &middleware.HTTPProblem{
			Status: http.StatusConflict, Detail: fmt.Sprintf("The job is %s: its result is available once it is done", j.Status),
		}
	}
	if q.Format != nil {
		order.Format = *q.Format
	}
	kind, content, err := readResult(j.Result).resultFile(order)
	if err != nil {
		return err
	}
	c.Response().Header().Set(headerMode, string(order.Mode))
	return c.Blob(http.StatusOK, kind, content)
}

type jobBody struct {
	ID       string        `json:"id"`
	Status   job.JobStatus `json:"status"`
	Progress float64       `json:"progress"`
	Result   any           `json:"result,omitempty"`
	Detail   any           `json:"detail,omitempty"`
	Callback *callbackBody `json:"callback,omitempty"`
}

// callbackBody is the delivery state of a job's callback. The URL, which may hold a secret, is left out.
type callbackBody struct {
	State    job.CallbackState `json:"state"`
	Attempts []callbackTryBody `json:"attempts"`
}

type callbackTryBody struct {
	At         string  `json:"at"`
	StatusCode *int    `json:"status_code"` // null: no response
	Error      *string `json:"error"`       // null: delivered
	DurationMS int64   `json:"duration_ms"`
}

// jobBodyOf returns a job as in GET responses and callbacks.
func jobBodyOf(j job.Job) (jobBody, error) {
	b := jobBody{
		ID: j.ID, Status: j.Status, Progress: roundToUnit(j.Progress, 1e6), Detail: detailOf(j.Failure),
		Callback: callbackBodyOf(j.Callback),
	}
	if j.Result == nil {
		return b, nil
	}
	var order transcriptionOrder
	if err := json.Unmarshal(j.Parameters, &order); err != nil {
		return b, err
	}
	b.Result = readResult(j.Result).responseBody(order.Format, order.Logprobs)
	return b, nil
}

// JobBody returns the body of a job's callback: as in GET, without the callback state, so that every attempt sends the
// same bytes.
func JobBody(j job.Job) ([]byte, error) {
	b, err := jobBodyOf(j)
	if err != nil {
		return nil, err
	}
	b.Callback = nil
	return json.Marshal(b)
}

func callbackBodyOf(c *job.JobCallback) *callbackBody {
	if c == nil {
		return nil
	}
	b := &callbackBody{State: c.State, Attempts: []callbackTryBody{}}
	for _, try := range c.Tries {
		one := callbackTryBody{At: jsontext.FormatTime(try.At), DurationMS: try.Duration.Milliseconds()}
		if try.StatusCode != 0 {
			one.StatusCode = &try.StatusCode
		}
		if try.Error != "" {
			one.Error = &try.Error
		}
		b.Attempts = append(b.Attempts, one)
	}
	return b
}

// detailOf returns the detail that a synchronous request would have had for the same failure.
func detailOf(f *job.JobFailure) any {
	if f == nil {
		return nil
	}
	switch audio.ErrorCode(f.Code) {
	case audio.CodeDecode, audio.CodeEmpty:
		return audioFault(f.Code, f.Message)
	default:
		return f.Message
	}
}

// jobResult is the stored result of a job: everything that any format needs.
type jobResult struct {
	Transcript *verboseBody `json:"transcript"`

	old json.RawMessage // body in the job's own format, from an older version
}

// readResult decodes a stored result.
func readResult(raw json.RawMessage) jobResult {
	var r jobResult
	if err := json.Unmarshal(raw, &r); err == nil && r.Transcript != nil {
		return r
	}
	var verbose verboseBody
	if err := json.Unmarshal(raw, &verbose); err == nil && verbose.Segments != nil {
		return jobResult{Transcript: &verbose}
	}
	return jobResult{old: raw}
}

// responseBody returns the transcription body in a format.
func (r jobResult) responseBody(format string, logprobs bool) any {
	if r.Transcript == nil {
		return r.old
	}
	return r.Transcript.responseBody(format, logprobs)
}

// resultFile returns the bare result with its media type, in the order's format.
func (r jobResult) resultFile(o transcriptionOrder) (kind string, content []byte, err error) {
	if r.Transcript == nil {
		return "", nil, &middleware.HTTPProblem{
			Status: http.StatusConflict,
			Detail: "The result was stored by an older version, only in the job's own format: " +
				"GET /compat/v1/audio/jobs/{id} returns it",
		}
	}
	return r.Transcript.encodeBody(o)
}

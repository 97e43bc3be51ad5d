package stt

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/multipartform"
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

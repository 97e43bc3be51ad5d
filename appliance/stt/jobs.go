package stt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/multipartform"
	"munadi/engine/audio"
	"munadi/store"
	"munadi/store/delivery"
	"munadi/store/job"
	"munadi/store/restaurant"
)

// JobStore is the part of the store for jobs.
type JobStore interface {
	EnqueueJob(ctx context.Context, j job.Job, limits job.QueueLimits) error
	QueuedJobs(ctx context.Context, orgID string) (own, all int, err error)
	FindJob(ctx context.Context, orgID, id string) (job.Job, error)
	ClaimJob(ctx context.Context, now time.Time) (job.Job, bool, error)
	ReportJob(ctx context.Context, orgID, id string, progress float64) error
	FinishJob(ctx context.Context, orgID, id string, result json.RawMessage, now time.Time) error
	FailJob(ctx context.Context, orgID, id string, failure job.JobFailure, now time.Time) error
	ReturnJob(ctx context.Context, orgID, id string) error
	JobsPage(ctx context.Context, orgID string, limit int, cursor string) (store.ListPage[job.Job], error)
	RemoveJob(ctx context.Context, orgID, id string) (job.Job, error)
	RequeueRunning(ctx context.Context, now time.Time) ([]job.Job, error)
	ExpireJobs(ctx context.Context, now time.Time) ([]job.Job, error)
}

type queuedBody struct {
	ID     string        `json:"id"`
	Status job.JobStatus `json:"status"`
}

// createJob handles POST /compat/v1/audio/jobs. An undecodable file is refused here, not when the job runs.
func (s *TranscriptionService) createJob(c echo.Context) error {
	f := transcriptionForm{face: compatFace}
	ctx, who := c.Request().Context(), requestPrincipal(c)
	if err := s.readForm(c, s.jobDecoder(), &f); err != nil {
		return s.withCallbackFaults(ctx, err, f.CallbackURL)
	}
	defer f.File.Close() //nolint:errcheck // no effect once the file was moved
	if err := s.checkCallback(ctx, f.CallbackURL); err != nil {
		return err
	}
	if err := s.checkDecodable(ctx, &f); err != nil {
		return s.explainError(err, s.jobDecoder(), s.currentLimits().JobDuration)
	}
	if err := s.checkJobRoom(ctx, who.OrgID); err != nil {
		return err
	}
	turn, err := s.modes.BeginTurn(ctx, who.OrgID, f.SessionID, restaurant.SessionMode(f.SessionMode))
	if err != nil {
		return err
	}
	id, err := s.enqueueJob(ctx, who.OrgID, &f, turn.Mode)
	if err != nil {
		return err
	}
	s.Metrics.CountJob(string(job.Queued))
	h := c.Response().Header()
	h.Set(headerMode, string(turn.Mode))
	h.Set(echo.HeaderLocation, "/compat/v1/audio/jobs/"+id)
	return c.JSON(http.StatusAccepted, queuedBody{id, job.Queued})
}

// checkCallback checks a callback URL by the rules of webhooks (SSRF guard).
func (s *TranscriptionService) checkCallback(ctx context.Context, url string) error {
	if url == "" {
		return nil
	}
	fault := ""
	if found := delivery.CheckWebhook(delivery.WebhookSetting{URL: url}); len(found) > 0 {
		fault = found[0].Message
	} else if err := s.CheckURL(ctx, url); err != nil {
		fault = err.Error()
	}
	if fault == "" {
		return nil
	}
	return multipartform.ValidationError{{
		Type: "value_error", Loc: []any{"body", "callback_url"}, Msg: "Value error, the URL " + fault, Input: url,
		Ctx: map[string]any{"error": map[string]any{}},
	}}
}

// withCallbackFaults adds the violations of a callback URL to those of its form, so that all are returned at once.
func (s *TranscriptionService) withCallbackFaults(ctx context.Context, formErr error, url string) error {
	var form, callback multipartform.ValidationError
	if errors.As(formErr, &form) && errors.As(s.checkCallback(ctx, url), &callback) {
		return append(form, callback...)
	}
	return formErr
}

func (s *TranscriptionService) checkDecodable(ctx context.Context, f *transcriptionForm) error {
	return s.probeSound(ctx, f, s.currentLimits().JobDuration, ChannelsOf(f.Channels)[0])
}

// probeSound returns why a channel of a form's file cannot be decoded, without decoding it.
func (s *TranscriptionService) probeSound(
	ctx context.Context, f *transcriptionForm, longest time.Duration, channel audio.ChannelChoice,
) error {
	r, err := f.File.Open()
	if err != nil {
		return err
	}
	src, err := s.Open(ctx, r, longest, channel)
	if err != nil {
		return err
	}
	return src.Close()
}

// checkJobRoom refuses a job before its upload is stored if the queue, or its organization's share of it, is full.
// [store.JobStore.EnqueueJob] checks again, since others may have queued jobs meanwhile.
func (s *TranscriptionService) checkJobRoom(ctx context.Context, orgID string) error {
	own, all, err := s.Store.QueuedJobs(ctx, orgID)
	if err != nil {
		return err
	}
	return explainQueueFull(s.Limits.queueLimits().CheckRoom(own, all))
}

// queueLimits are the limits of queued jobs.
func (l UploadLimits) queueLimits() job.QueueLimits {
	return job.QueueLimits{All: l.JobQueue, Share: l.JobShare}
}

// explainQueueFull turns a [*job.QueueFullError] into a 429; other errors are returned unchanged.
func explainQueueFull(err error) error {
	var full *job.QueueFullError
	if !errors.As(err, &full) {
		return err
	}
	problem := &middleware.HTTPProblem{
		Status: http.StatusTooManyRequests, RetryAfter: time.Minute, Detail: "Too many jobs are waiting; try again later",
	}
	if !full.OfAll {
		problem.Detail = fmt.Sprintf(
			"Your organization has reached its limit of %d waiting jobs; try again when one has ended", full.Own)
	}
	return problem
}

// enqueueJob stores the upload under the job's id and enqueues the job. A crash in between leaves an orphaned file,
// which only costs space.
func (s *TranscriptionService) enqueueJob(
	ctx context.Context, org string, f *transcriptionForm, m restaurant.SessionMode,
) (string, error) {
	id := uuid.NewString()
	wanted, err := s.orderOf(ctx, org, f, m)
	if err != nil {
		return "", err
	}
	order, err := json.Marshal(wanted)
	if err != nil {
		return "", err
	}
	if err := f.File.MoveTo(s.uploadPath(id)); err != nil {
		return "", err
	}
	j := job.Job{
		ID: id, OrgID: org, Status: job.Queued, Parameters: order, Input: id, CreatedAt: s.Now(),
		Callback: job.NewCallback(f.CallbackURL), Shared: s.shareUpload(ctx, id),
	}
	if err = s.Store.EnqueueJob(ctx, j, s.Limits.queueLimits()); err != nil {
		return "", errors.Join(explainQueueFull(err), s.removeUpload(ctx, j))
	}
	s.wakeWorker()
	return id, nil
}

// uploadPath returns the path of a job's upload, which is kept until the job ends.
func (s *TranscriptionService) uploadPath(name string) string {
	return filepath.Join(s.Jobs, filepath.Base(name))
}

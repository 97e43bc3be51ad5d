package stt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/multipartform"
	"munadi/appliance/recovery"
	"munadi/engine"
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
	h.Set(echo.HeaderLocation, httpserver.PublicPath(s.PublicURL(), "/compat/v1/audio/jobs/"+id))
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

// runJob runs one job to its end, or requeues it when ctx ends first. A full recognizer queue is waited for, since the
// job was accepted.
func (s *TranscriptionService) runJob(stop context.Context, j job.Job) error {
	ctx, done := s.running.beginJob(stop, j)
	defer done()
	for {
		result, failed := s.transcribeSafely(ctx, j)
		if failed != nil && stop.Err() != nil {
			s.requeueJob(stop, j)
			return nil // it failed because the service stops
		}
		if errors.Is(context.Cause(ctx), errJobRemoved) {
			return nil // deleted: no result to store
		}
		if busy, ok := errors.AsType[*engine.ErrBusy](failed); ok {
			s.waitForWork(ctx, max(busy.RetryAfter, time.Second), nil)
			continue
		}
		if store.CodeOf(failed) == store.CodeUnavailable { // database or bucket
			s.waitForWork(ctx, retryPause, nil)
			continue
		}
		return s.finishJob(stop, j, result, failed)
	}
}

// requeueJob requeues a job interrupted by a shutdown. If that fails, the next start treats it as interrupted.
func (s *TranscriptionService) requeueJob(ctx context.Context, j job.Job) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTimeout)
	defer cancel()
	if err := s.Store.ReturnJob(ctx, j.OrgID, j.ID); err != nil && store.CodeOf(err) != store.CodeNotFound {
		s.Log.Warn("an interrupted job could not be queued again; the next start does it", "job", j.ID, "error", err)
	}
}

// transcribeSafely is transcribeJob with panic recovery: a panic fails the job alone, since a crash would repeat at
// every start.
func (s *TranscriptionService) transcribeSafely(ctx context.Context, j job.Job) (result json.RawMessage, err error) {
	err = recovery.RecoverPanic(func() (err error) {
		result, err = s.transcribeJob(ctx, j)
		return err
	})
	return result, err
}

// transcribeJob transcribes a job's upload and returns the result to store.
func (s *TranscriptionService) transcribeJob(ctx context.Context, j job.Job) (json.RawMessage, error) {
	var order transcriptionOrder
	if err := json.Unmarshal(j.Parameters, &order); err != nil {
		return nil, fmt.Errorf("read a job's parameters: %w", err)
	}
	file, closeFile, err := s.openUpload(ctx, j)
	if err != nil {
		return nil, err
	}
	defer closeFile()
	turn, err := s.modes.ResumeTurn(ctx, j.OrgID, order.SessionID, order.Mode)
	if err != nil {
		return nil, err
	}
	ctx = engine.WithClient(ctx, engine.ClientID{Organization: j.OrgID})
	sound := newMeter(file)
	t, err := s.transcribeWork(ctx, transcriptionWork{
		sound: sound, turn: turn, order: order, priority: engine.Batch, longest: s.currentLimits().JobDuration,
		progress: s.newProgressReporter(ctx, j, sound),
	})
	if err != nil {
		return nil, err
	}
	if err := turn.EndTurn(ctx, t.heard.String()); err != nil {
		return nil, err
	}
	v := t.verboseBody()
	return json.Marshal(jobResult{Transcript: &v})
}

// newProgressReporter returns a function that writes progress occasionally. Its errors do not fail the job.
func (s *TranscriptionService) newProgressReporter(
	ctx context.Context, j job.Job, sound *readMeter,
) func(share float64, pass, passes int) {
	var last time.Time
	return func(decoded float64, pass, passes int) {
		if time.Since(last) < reportStep {
			return
		}
		last = time.Now()
		share := min((float64(pass)+sound.readShare()*decoded)/float64(passes), 0.99)
		err := s.Store.ReportJob(ctx, j.OrgID, j.ID, share)
		if store.CodeOf(err) == store.CodeNotFound {
			s.running.cancelJob(j) // deleted, possibly by another appliance
		} else if err != nil {
			s.Log.Warn("the progress of a job could not be stored", "job", j.ID, "error", err)
		}
	}
}

// finishJob records a job's outcome and deletes its upload. A job deleted meanwhile has no record. One that was queued
// again meanwhile, by an appliance that took this one for dead, keeps its upload for its next run.
func (s *TranscriptionService) finishJob(ctx context.Context, j job.Job, result json.RawMessage, failed error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTimeout)
	defer cancel()
	var err error
	if failed == nil {
		j.Status = job.Done
		err = s.Store.FinishJob(ctx, j.OrgID, j.ID, result, s.Now())
		if store.CodeOf(err) == store.CodeUnavailable || err != nil && ctx.Err() != nil { // it runs again
			return fmt.Errorf("record a finished job: %w", err)
		}
		failed = err
	}
	if failed != nil && !isSuperseded(err) {
		j.Status = job.Failed
		err = s.Store.FailJob(ctx, j.OrgID, j.ID, s.failureOf(ctx, j, failed), s.Now())
	}
	switch {
	case store.CodeOf(err) == store.CodeConflict:
		return nil
	case err != nil && !isSuperseded(err):
		return fmt.Errorf("record a failed job: %w", err)
	}
	s.Metrics.CountJob(string(j.Status))
	return s.removeInput(ctx, j)
}

// isSuperseded reports whether a job's end was refused because the job was deleted, or is another worker's now.
func isSuperseded(err error) bool {
	code := store.CodeOf(err)
	return code == store.CodeNotFound || code == store.CodeConflict
}

func (s *TranscriptionService) failureOf(ctx context.Context, j job.Job, err error) job.JobFailure {
	if store.CodeOf(err) == store.CodeTooLarge {
		return job.JobFailure{
			Code: "result_too_large", Message: "The transcript is too large to be stored: send the recording in parts",
		}
	}
	p := middleware.ProblemOf(s.explainError(err, s.jobDecoder(), s.currentLimits().JobDuration), ctx)
	if bad, ok := p.Detail.(multipartform.ValidationError); ok {
		return job.JobFailure{Code: bad[0].Type, Message: bad[0].Msg}
	}
	if p.Status >= http.StatusInternalServerError {
		s.Log.Error("job failed", "job", j.ID, "org", j.OrgID, "error", err)
	}
	return job.JobFailure{Code: http.StatusText(p.Status), Message: fmt.Sprint(p.Detail)}
}

// errJobRemoved is the cancellation cause of a job deleted by its owner.
var errJobRemoved = errors.New("the job was removed")

// runningJobs can cancel the jobs that run in this process. The zero value is ready.
type runningJobs struct {
	mu      sync.Mutex
	cancels map[[2]string]context.CancelCauseFunc // by organization and id
}

// beginJob derives the cancellable context of a job; stop must be called when the job has ended.
func (r *runningJobs) beginJob(ctx context.Context, j job.Job) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancels == nil {
		r.cancels = map[[2]string]context.CancelCauseFunc{}
	}
	at := [2]string{j.OrgID, j.ID}
	r.cancels[at] = cancel
	return ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.cancels, at)
		cancel(nil)
	}
}

// cancelJob cancels a deleted job, if it runs here.
func (r *runningJobs) cancelJob(j job.Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel := r.cancels[[2]string{j.OrgID, j.ID}]; cancel != nil {
		cancel(errJobRemoved)
	}
}

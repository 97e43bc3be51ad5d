package stt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/multipartform"
	"munadi/appliance/recovery"
	"munadi/engine"
	"munadi/store"
	"munadi/store/job"
)

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
		var busy *engine.ErrBusy
		if errors.As(failed, &busy) {
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

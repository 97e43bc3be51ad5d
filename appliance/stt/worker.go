package stt

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"munadi/store/job"
)

const (
	idlePollInterval   = time.Minute      // polling interval without a wake-up
	sharedPollInterval = 3 * time.Second  // the same where other appliances accept jobs for this one
	retryPause         = 5 * time.Second  // before the next try while the bucket or the database does not answer
	sweepEvery         = 10 * time.Minute // interval of removing expired jobs
	reportStep         = time.Second      // minimum interval of progress writes
	finishTimeout      = 10 * time.Second // to record a job's end during shutdown
)

// RunJobs runs the job workers until ctx ends, and deletes expired jobs. Jobs interrupted by the end of ctx are
// requeued (graceful shutdown). It returns nil when ctx ended, or the store's error.
func (s *TranscriptionService) RunJobs(ctx context.Context) error {
	if err := s.RequeueInterrupted(ctx); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	for range s.Limits.JobWorkers {
		group.Go(func() error { return s.runJobs(ctx) })
	}
	group.Go(func() error { return s.runJobSweeper(ctx) })
	return group.Wait()
}

// RequeueInterrupted is crash recovery: it requeues interrupted jobs. No job may be running in this process. Called
// before the service answers, so that stale progress is never shown.
func (s *TranscriptionService) RequeueInterrupted(ctx context.Context) error {
	interrupted, err := s.Store.RequeueRunning(ctx, s.Now())
	if err != nil {
		return fmt.Errorf("requeue interrupted jobs: %w", err)
	}
	for _, j := range interrupted {
		if err := s.removeInput(ctx, j); err != nil {
			return err
		}
	}
	return nil
}

// removeInput deletes the upload of an ended job.
func (s *TranscriptionService) removeInput(ctx context.Context, j job.Job) error {
	if !j.Status.IsFinal() {
		return nil
	}
	return s.removeUpload(ctx, j)
}

// runJobSweeper deletes expired jobs now and periodically.
func (s *TranscriptionService) runJobSweeper(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := s.sweepJobs(ctx); err != nil {
			return nilIfStopped(ctx, err)
		}
		s.waitForWork(ctx, sweepEvery, nil)
	}
	return nil
}

func (s *TranscriptionService) sweepJobs(ctx context.Context) error {
	old, err := s.Store.ExpireJobs(ctx, s.Now())
	if err != nil {
		return fmt.Errorf("remove expired jobs: %w", err)
	}
	for _, j := range old {
		if err := s.removeInput(ctx, j); err != nil {
			return err
		}
	}
	return nil
}

// runJobs runs one job after the other.
func (s *TranscriptionService) runJobs(ctx context.Context) error {
	for ctx.Err() == nil {
		j, found, err := s.Store.ClaimJob(ctx, s.Now())
		if err != nil {
			return nilIfStopped(ctx, fmt.Errorf("claim a job: %w", err))
		}
		if !found {
			s.waitForWork(ctx, s.pollInterval(), s.wake)
			continue
		}
		s.wakeWorker() // wake another idle worker: there may be more jobs
		if err := s.runJob(ctx, j); err != nil {
			return nilIfStopped(ctx, err)
		}
	}
	return nil
}

// pollInterval returns how long an idle worker waits before it looks for jobs without a wake-up.
func (s *TranscriptionService) pollInterval() time.Duration {
	if s.Uploads != nil {
		return sharedPollInterval
	}
	return idlePollInterval
}

// waitForWork returns after d, on a wake-up, or when ctx ends.
func (*TranscriptionService) waitForWork(ctx context.Context, d time.Duration, wake <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-wake:
	}
}

func (s *TranscriptionService) wakeWorker() {
	select {
	case s.wake <- struct{}{}:
	default: // a wake-up is pending already
	}
}

func nilIfStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil //nolint:nilerr // a requested stop is not a failure
	}
	return err
}

package stt

import (
	"context"
	"errors"
	"sync"

	"munadi/store/job"
)

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

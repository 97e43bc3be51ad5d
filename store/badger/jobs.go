package badger

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/job"
)

// EnqueueJob implements [store.Store].
func (s *Store) EnqueueJob(ctx context.Context, j job.Job) error {
	if j.Status != job.Queued || !plain(j.ID) || !plain(j.OrgID) {
		return store.Errorf(store.CodeInvalid, "a new job is queued, and its id has no '/'")
	}
	return s.write(ctx, func(v view, c *changes) error {
		taken, err := v.has(key(kindJob, j.OrgID, j.ID))
		if err != nil {
			return err
		}
		if taken {
			return store.Errorf(store.CodeConflict, "there is already a job %q", j.ID)
		}
		putJob(c, j)
		return nil
	})
}

// ClaimJob implements [store.Store].
func (s *Store) ClaimJob(ctx context.Context, now time.Time) (job.Job, bool, error) {
	var claimed job.Job
	var found bool
	err := s.write(ctx, func(v view, c *changes) error {
		var orgID, id string
		if orgID, id, found = firstQueued(v); !found {
			return nil
		}
		waiting, err := findJob(v, orgID, id)
		if err != nil {
			return err
		}
		claimed, err = waiting.Claim(now)
		return moveJob(c, waiting, claimed, err)
	})
	return claimed, found && err == nil, err
}

// ReportJob implements [store.Store].
func (s *Store) ReportJob(ctx context.Context, orgID, id string, progress float64) error {
	return s.changeJob(ctx, orgID, id, func(j job.Job) (job.Job, error) { return j.Report(progress) })
}

// FinishJob implements [store.Store].
func (s *Store) FinishJob(ctx context.Context, orgID, id string, result json.RawMessage, now time.Time) error {
	if len(result) > store.MaxResult {
		return store.Errorf(store.CodeTooLarge, "the result has %d bytes, %d are possible", len(result), store.MaxResult)
	}
	return s.changeJob(ctx, orgID, id, func(j job.Job) (job.Job, error) { return j.Finish(result, now) })
}

// FailJob implements [store.Store].
func (s *Store) FailJob(ctx context.Context, orgID, id string, failure job.Failure, now time.Time) error {
	return s.changeJob(ctx, orgID, id, func(j job.Job) (job.Job, error) { return j.Fail(failure, now) })
}

// ReturnJob implements [store.Store].
func (s *Store) ReturnJob(ctx context.Context, orgID, id string) error {
	return s.changeJob(ctx, orgID, id, job.Job.Return)
}

// changeJob moves an organization's job by one step.
func (s *Store) changeJob(ctx context.Context, orgID, id string, step func(job.Job) (job.Job, error)) error {
	return s.write(ctx, func(v view, c *changes) error {
		before, err := findJob(v, orgID, id)
		if err != nil {
			return err
		}
		c.urge()
		after, err := step(before)
		return moveJob(c, before, after, err)
	})
}

// moveJob writes a job after a step, if the step was allowed.
func moveJob(c *changes, before, after job.Job, refused error) error {
	var wrong *job.TransitionError
	if errors.As(refused, &wrong) {
		return &store.Error{Code: store.CodeConflict, Message: wrong.Error(), Err: refused}
	}
	if refused != nil {
		return refused
	}
	if before.Status != after.Status {
		c.drop(placeOf(before))
	}
	if before.OwesCallback() {
		c.drop(callbackOf(before))
	}
	putJob(c, after)
	return nil
}

// RequeueRunning implements [store.Store].
func (s *Store) RequeueRunning(ctx context.Context, now time.Time) ([]job.Job, error) {
	return s.sweepJobs(ctx, prefix(kindJobRunning), 2, func(before job.Job, c *changes) (job.Job, error) {
		after, err := before.Interrupt(now)
		return after, moveJob(c, before, after, err)
	})
}

// ExpireJobs implements [store.Store].
func (s *Store) ExpireJobs(ctx context.Context, now time.Time) ([]job.Job, error) {
	return s.sweepJobs(ctx, prefix(kindJobEnded), 3, func(ended job.Job, c *changes) (job.Job, error) {
		if !ended.Expired(now) {
			return ended, errEnough
		}
		dropJob(c, ended)
		return ended, nil
	})
}

// errEnough ends a sweep early.
var errEnough = errors.New("the rest is not due")

// sweepJobs takes the jobs of an index, whose keys have n parts, off it one after another, [expireBatch] in a
// transaction, and returns them as treat leaves them.
func (s *Store) sweepJobs(
	ctx context.Context, index []byte, n int, treat func(job.Job, *changes) (job.Job, error),
) ([]job.Job, error) {
	var swept []job.Job
	for {
		var batch []job.Job
		err := s.write(ctx, func(v view, c *changes) error {
			batch = nil
			c.urge()
			for _, place := range firstPlaces(v, index, n) {
				j, err := findJob(v, place[n-2], place[n-1])
				if isUnreadable(err) {
					c.drop(append(slices.Clip(index), strings.Join(place, "/")...)) // the others wait
					continue
				}
				if err != nil {
					return err
				}
				if j, err = treat(j, c); errors.Is(err, errEnough) {
					return nil
				} else if err != nil {
					return err
				}
				batch = append(batch, j)
			}
			return nil
		})
		if err != nil {
			return swept, err
		}
		swept = append(swept, batch...)
		if len(batch) < expireBatch {
			return swept, nil
		}
	}
}

// firstPlaces are the first [expireBatch] keys of an index, taken apart into n parts.
func firstPlaces(v view, index []byte, n int) [][]string {
	var places [][]string
	v.keys(index, func(rest string) bool {
		places = append(places, split(rest, n))
		return len(places) < expireBatch
	})
	return slices.DeleteFunc(places, func(parts []string) bool { return len(parts) != n })
}

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
func (s *BadgerStore) EnqueueJob(ctx context.Context, j job.Job, limits job.QueueLimits) error {
	if j.Status != job.Queued || !isKeyPart(j.ID) || !isKeyPart(j.OrgID) {
		return store.Errorf(store.CodeInvalid, "a new job must be queued, and its id must not contain '/'")
	}
	return s.submitCommand(ctx, func(v snapshotView, c *changeSet) error {
		taken, err := v.hasKey(joinKey(kindJob, j.OrgID, j.ID))
		if err != nil {
			return err
		}
		if taken {
			return store.Errorf(store.CodeConflict, "there is already a job %q", j.ID)
		}
		if err := limits.CheckRoom(countQueued(v, j.OrgID)); err != nil {
			return err
		}
		putJob(c, j)
		return nil
	})
}

// ClaimJob implements [store.Store].
func (s *BadgerStore) ClaimJob(ctx context.Context, now time.Time) (job.Job, bool, error) {
	var claimed job.Job
	var found bool
	err := s.submitCommand(ctx, func(v snapshotView, c *changeSet) (err error) {
		var waiting job.Job
		if waiting, found, err = nextQueued(v, c); err != nil || !found {
			return err
		}
		claimed, err = waiting.ClaimAt(now)
		c.putRaw(joinKey(kindJobServed, waiting.OrgID), []byte(encodeTime(now)))
		return moveJob(c, waiting, claimed, err)
	})
	return claimed, found && err == nil, err
}

// ReportJob implements [store.Store].
func (s *BadgerStore) ReportJob(ctx context.Context, orgID, id string, progress float64) error {
	return s.changeJob(ctx, orgID, id, func(j job.Job) (job.Job, error) { return j.ReportProgress(progress) })
}

// FinishJob implements [store.Store].
func (s *BadgerStore) FinishJob(ctx context.Context, orgID, id string, result json.RawMessage, now time.Time) error {
	if len(result) > store.MaxResult {
		return store.Errorf(store.CodeTooLarge,
			"the result has %d bytes, at most %d are accepted", len(result), store.MaxResult)
	}
	return s.changeJob(ctx, orgID, id, func(j job.Job) (job.Job, error) { return j.FinishWith(result, now) })
}

// FailJob implements [store.Store].
func (s *BadgerStore) FailJob(ctx context.Context, orgID, id string, failure job.JobFailure, now time.Time) error {
	return s.changeJob(ctx, orgID, id, func(j job.Job) (job.Job, error) { return j.FailWith(failure, now) })
}

// ReturnJob implements [store.Store].
func (s *BadgerStore) ReturnJob(ctx context.Context, orgID, id string) error {
	return s.changeJob(ctx, orgID, id, job.Job.ReturnToQueue)
}

// changeJob applies one state transition to an organization's job.
func (s *BadgerStore) changeJob(ctx context.Context, orgID, id string, step func(job.Job) (job.Job, error)) error {
	return s.submitCommand(ctx, func(v snapshotView, c *changeSet) error {
		before, err := findJob(v, orgID, id)
		if err != nil {
			return err
		}
		c.markUrgent()
		after, err := step(before)
		return moveJob(c, before, after, err)
	})
}

// moveJob writes a job after a transition, if the transition was allowed.
func moveJob(c *changeSet, before, after job.Job, refused error) error {
	var wrong *job.TransitionError
	if errors.As(refused, &wrong) {
		return &store.Error{Code: store.CodeConflict, Message: wrong.Error(), Err: refused}
	}
	if refused != nil {
		return refused
	}
	if before.Status != after.Status {
		c.deleteKey(placeOf(before))
	}
	if before.HasPendingCallback() {
		c.deleteKey(callbackOf(before))
	}
	putJob(c, after)
	return nil
}

// RequeueRunning implements [store.Store].
func (s *BadgerStore) RequeueRunning(ctx context.Context, now time.Time) ([]job.Job, error) {
	return s.sweepJobs(ctx, joinPrefix(kindJobRunning), 2, func(before job.Job, c *changeSet) (job.Job, error) {
		after, err := before.InterruptAt(now)
		return after, moveJob(c, before, after, err)
	})
}

// ExpireJobs implements [store.Store].
func (s *BadgerStore) ExpireJobs(ctx context.Context, now time.Time) ([]job.Job, error) {
	return s.sweepJobs(ctx, joinPrefix(kindJobEnded), 3, func(ended job.Job, c *changeSet) (job.Job, error) {
		if !ended.IsExpired(now) {
			return ended, errEnough
		}
		dropJob(c, ended)
		return ended, nil
	})
}

// errEnough stops a sweep: the remaining jobs are not due.
var errEnough = errors.New("the rest is not due")

// sweepJobs processes the jobs of an index whose keys have n parts, [expireBatch] per transaction, removes them from
// the index, and returns them as treat leaves them.
func (s *BadgerStore) sweepJobs(
	ctx context.Context, index []byte, n int, treat func(job.Job, *changeSet) (job.Job, error),
) ([]job.Job, error) {
	var swept []job.Job
	for more := true; more; {
		var batch []job.Job
		err := s.submitCommand(ctx, func(v snapshotView, c *changeSet) error {
			c.markUrgent()
			places := firstPlaces(v, index, n)
			batch, more = nil, len(places) == expireBatch
			for _, place := range places {
				j, err := findJob(v, place[n-2], place[n-1])
				if err != nil {
					if err = ignoreMissing(err); err != nil {
						return err
					}
					c.deleteKey(append(slices.Clip(index), strings.Join(place, "/")...)) // skip the unreadable job
					continue
				}
				if j, err = treat(j, c); errors.Is(err, errEnough) {
					more = false
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
	}
	return swept, nil
}

// firstPlaces returns the first [expireBatch] keys of an index, split into n parts.
func firstPlaces(v snapshotView, index []byte, n int) [][]string {
	var places [][]string
	v.visitKeys(index, func(rest string) bool {
		places = append(places, splitKey(rest, n))
		return len(places) < expireBatch
	})
	return slices.DeleteFunc(places, func(parts []string) bool { return len(parts) != n })
}

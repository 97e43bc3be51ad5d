package badger

import (
	"context"

	"munadi/store"
	"munadi/store/job"
)

// FindJob implements [store.Store].
func (s *BadgerStore) FindJob(ctx context.Context, orgID, id string) (job.Job, error) {
	var j job.Job
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		if j, err = findJob(v, orgID, id); err != nil {
			return err
		}
		j.Result, _, err = v.rawValue(joinKey(kindJobResult, orgID, id))
		return err
	})
	return j, err
}

// QueuedJobs implements [store.Store].
func (s *BadgerStore) QueuedJobs(ctx context.Context, orgID string) (own, all int, err error) {
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		own, all = 0, 0
		v.visitKeys(joinPrefix(kindJobQueue), func(rest string) bool {
			all++
			if parts := splitKey(rest, 3); len(parts) == 3 && parts[1] == orgID {
				own++
			}
			return true
		})
		return nil
	})
	return own, all, err
}

// findJob returns an organization's job, without its result.
func findJob(v snapshotView, orgID, id string) (job.Job, error) {
	var j job.Job
	found, err := v.getRecord(joinKey(kindJob, orgID, id), &j)
	if err == nil && !found {
		return j, store.Errorf(store.CodeNotFound, "there is no job %q", id)
	}
	return j, err
}

// firstQueued returns the readable job that has waited longest; false for an empty queue. Stale entries before it are
// deleted.
func firstQueued(v snapshotView, c *changeSet) (first job.Job, found bool, err error) {
	var stale staleEntries
	v.visitKeys(joinPrefix(kindJobQueue), func(rest string) bool {
		parts := splitKey(rest, 3)
		if len(parts) != 3 {
			return true
		}
		key, entry := append(joinPrefix(kindJobQueue), rest...), []byte(nil)
		if first, err = findJob(v, parts[1], parts[2]); first.Status == job.Queued {
			entry = key
		}
		found, err = stale.keepEntry(key, entry, err)
		return err == nil && !found
	})
	for _, key := range stale.keys {
		c.deleteKey(key)
	}
	return first, found, err
}

// putJob writes a job; the result has its own key, so that reading a job stays cheap.
func putJob(c *changeSet, j job.Job) {
	if j.Result != nil {
		c.putRaw(joinKey(kindJobResult, j.OrgID, j.ID), j.Result)
		j.Result = nil
	}
	c.putRecord(joinKey(kindJob, j.OrgID, j.ID), j)
	c.putIndex(placeOf(j))
	c.putIndex(madeOf(j))
	if j.OwesCallback() {
		c.putIndex(callbackOf(j))
		c.touchKind(store.CallbackOwed)
	}
}

// dropJob deletes all keys of a job.
func dropJob(c *changeSet, j job.Job) {
	for _, k := range [][]byte{
		joinKey(kindJob, j.OrgID, j.ID), joinKey(kindJobResult, j.OrgID, j.ID), placeOf(j), madeOf(j),
	} {
		c.deleteKey(k)
	}
	if j.OwesCallback() {
		c.deleteKey(callbackOf(j))
	}
}

// madeOf returns a job's entry in the index by creation time.
func madeOf(j job.Job) []byte { return joinKey(kindJobMade, j.OrgID, encodeTime(j.CreatedAt), j.ID) }

// callbackOf returns the index entry of a job with a pending callback; nil for another one.
func callbackOf(j job.Job) []byte {
	if !j.OwesCallback() {
		return nil
	}
	return joinKey(kindJobCall, encodeTime(j.Callback.NextAt), j.OrgID, j.ID)
}

// placeOf returns the index entry of a job in its current state: queued, running or ended.
func placeOf(j job.Job) []byte {
	switch {
	case j.Status == job.Queued:
		return joinKey(kindJobQueue, encodeTime(j.QueueTime()), j.OrgID, j.ID)
	case j.FinishedAt != nil:
		return joinKey(kindJobEnded, encodeTime(*j.FinishedAt), j.OrgID, j.ID)
	default:
		return joinKey(kindJobRunning, j.OrgID, j.ID)
	}
}

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
		own, all = countQueued(v, orgID)
		return nil
	})
	return own, all, err
}

// countQueued returns the number of queued jobs of an organization, and of all.
func countQueued(v snapshotView, orgID string) (own, all int) {
	v.visitKeys(joinPrefix(kindJobQueue), func(rest string) bool {
		all++
		if parts := splitKey(rest, 3); len(parts) == 3 && parts[1] == orgID {
			own++
		}
		return true
	})
	return own, all
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

// nextQueued returns the job to start next; false for an empty queue. Organizations take turns (round robin): the one
// served longest ago goes first, then the job that has waited longest. Stale entries are deleted, unreadable jobs are
// skipped.
func nextQueued(v snapshotView, c *changeSet) (next job.Job, found bool, err error) {
	var stale staleEntries
	// When the organization of next was served last, and the organizations whose first job was found.
	first, seen := "", map[string]bool{}
	v.visitKeys(joinPrefix(kindJobQueue), func(rest string) bool {
		parts := splitKey(rest, 3)
		if len(parts) != 3 || seen[parts[1]] {
			return true
		}
		var j job.Job
		if j, seen[parts[1]], err = queuedJob(v, rest, &stale); err != nil || !seen[parts[1]] {
			return err == nil
		}
		if served := lastServed(v, j.OrgID); !found || served < first {
			next, found, first = j, true, served
		}
		return true
	})
	for _, key := range stale.keys {
		c.deleteKey(key)
	}
	return next, found, err
}

// queuedJob returns the job of a queue entry; false for a stale or unreadable one.
func queuedJob(v snapshotView, rest string, stale *staleEntries) (j job.Job, found bool, err error) {
	parts := splitKey(rest, 3)
	key, entry := append(joinPrefix(kindJobQueue), rest...), []byte(nil)
	if j, err = findJob(v, parts[1], parts[2]); j.Status == job.Queued {
		entry = key
	}
	found, err = stale.isCurrentEntry(key, entry, err)
	return j, found, err
}

// lastServed returns when an organization's last job was started, encoded; empty for never, or if it cannot be read.
func lastServed(v snapshotView, orgID string) string {
	served, _, err := v.rawValue(joinKey(kindJobServed, orgID))
	if err != nil {
		return ""
	}
	return string(served)
}

// putJob writes a job; the result has its own key, so that reading a job stays cheap.
func putJob(c *changeSet, j job.Job) {
	if j.Result != nil {
		c.putRaw(joinKey(kindJobResult, j.OrgID, j.ID), j.Result)
		j.Result = nil
	}
	c.putRecord(joinKey(kindJob, j.OrgID, j.ID), j)
	c.putIndex(placeOf(j))
	c.putIndex(creationEntry(j))
	if j.HasPendingCallback() {
		c.putIndex(callbackOf(j))
		c.touchKind(store.CallbacksChanged)
	}
}

// dropJob deletes all keys of a job.
func dropJob(c *changeSet, j job.Job) {
	c.oweCompaction()
	for _, k := range [][]byte{
		joinKey(kindJob, j.OrgID, j.ID), joinKey(kindJobResult, j.OrgID, j.ID), placeOf(j), creationEntry(j),
	} {
		c.deleteKey(k)
	}
	if j.HasPendingCallback() {
		c.deleteKey(callbackOf(j))
	}
}

// creationEntry returns a job's entry in the index by creation time.
func creationEntry(j job.Job) []byte {
	return joinKey(kindJobMade, j.OrgID, encodeTime(j.CreatedAt), j.ID)
}

// callbackOf returns the index entry of a job with a pending callback; nil for another one.
func callbackOf(j job.Job) []byte {
	if !j.HasPendingCallback() {
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

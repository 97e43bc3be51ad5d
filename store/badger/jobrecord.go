package badger

import (
	"context"

	"munadi/store"
	"munadi/store/job"
)

// Job implements [store.Store].
func (s *Store) Job(ctx context.Context, orgID, id string) (job.Job, error) {
	var j job.Job
	err := s.read(ctx, func(v view) (err error) {
		if j, err = findJob(v, orgID, id); err != nil {
			return err
		}
		j.Result, _, err = v.raw(key(kindJobResult, orgID, id))
		return err
	})
	return j, err
}

// QueuedJobs implements [store.Store].
func (s *Store) QueuedJobs(ctx context.Context) (int, error) {
	n := 0
	err := s.read(ctx, func(v view) error {
		v.keys(prefix(kindJobQueue), func(string) bool { n++; return true })
		return nil
	})
	return n, err
}

// findJob is an organization's job, without its result.
func findJob(v view, orgID, id string) (job.Job, error) {
	var j job.Job
	found, err := v.get(key(kindJob, orgID, id), &j)
	if err == nil && !found {
		return j, store.Errorf(store.CodeNotFound, "there is no job %q", id)
	}
	return j, err
}

// firstQueued is the job that has waited longest; false when none waits.
func firstQueued(v view) (orgID, id string, found bool) {
	v.keys(prefix(kindJobQueue), func(rest string) bool {
		if parts := split(rest, 3); len(parts) == 3 {
			orgID, id, found = parts[1], parts[2], true
		}
		return !found
	})
	return orgID, id, found
}

// putJob writes a job in its place; a result goes under a key of its own, so that looking a job over stays cheap.
func putJob(c *changes, j job.Job) {
	if j.Result != nil {
		c.raw(key(kindJobResult, j.OrgID, j.ID), j.Result)
		j.Result = nil
	}
	c.put(key(kindJob, j.OrgID, j.ID), j)
	c.mark(placeOf(j))
	c.mark(madeOf(j))
	if j.OwesCallback() {
		c.mark(callbackOf(j))
		c.touch(store.CallbackOwed)
	}
}

// dropJob deletes all that is kept of a job.
func dropJob(c *changes, j job.Job) {
	for _, k := range [][]byte{
		key(kindJob, j.OrgID, j.ID), key(kindJobResult, j.OrgID, j.ID), placeOf(j), madeOf(j),
	} {
		c.drop(k)
	}
	if j.OwesCallback() {
		c.drop(callbackOf(j))
	}
}

// madeOf is a job's entry in its organization's list.
func madeOf(j job.Job) []byte { return key(kindJobMade, j.OrgID, stamp(j.CreatedAt), j.ID) }

// callbackOf is the index entry of a job that owes its callback.
func callbackOf(j job.Job) []byte { return key(kindJobCall, stamp(j.Callback.NextAt), j.OrgID, j.ID) }

// placeOf is the one index entry that a job has, by its status.
func placeOf(j job.Job) []byte {
	switch {
	case j.Status == job.Queued:
		return key(kindJobQueue, stamp(j.Place()), j.OrgID, j.ID)
	case j.FinishedAt != nil:
		return key(kindJobEnded, stamp(*j.FinishedAt), j.OrgID, j.ID)
	default:
		return key(kindJobRunning, j.OrgID, j.ID)
	}
}

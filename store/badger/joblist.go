package badger

import (
	"context"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/job"
)

// jobsListedKey says that the index of all jobs is complete.
var jobsListedKey = []byte("jobs-listed")

// listOldJobs adds the jobs of a version that kept no index of all of them, once.
func listOldJobs(db *badgerdb.DB) error {
	batch := db.NewWriteBatch()
	defer batch.Cancel()
	listed := false
	err := db.View(func(txn *badgerdb.Txn) (err error) {
		v := view{txn: txn}
		if listed, err = v.has(jobsListedKey); err != nil || listed {
			return err
		}
		all, err := list[job.Job](v, prefix(kindJob))
		for _, j := range all {
			if err := batch.Set(madeOf(j), []byte{}); err != nil {
				return err
			}
		}
		return err
	})
	if err != nil || listed {
		return err
	}
	if err := batch.Set(jobsListedKey, []byte{}); err != nil {
		return err
	}
	return batch.Flush()
}

// JobsPage implements [store.Jobs].
func (s *Store) JobsPage(
	ctx context.Context, orgID string, limit int, cursor string,
) (page store.Page[job.Job], err error) {
	if err := checkLimit(limit); err != nil || !plain(orgID) {
		return page, err
	}
	err = s.read(ctx, func(v view) (err error) {
		list, index := []string{"jobs", orgID}, prefix(kindJobMade, orgID)
		page, err = newestPage(v, list, index, limit, cursor, func(place string) (job.Job, error) {
			return findListedJob(v, orgID, lastPart(place))
		})
		return err
	})
	return page, err
}

// findListedJob is the job that an index names. An index names no job that is not there: it was lost.
func findListedJob(v view, orgID, id string) (job.Job, error) {
	j, err := findJob(v, orgID, id)
	if store.CodeOf(err) == store.CodeNotFound {
		err = v.lost.record(key(kindJob, orgID, id), err)
	}
	return j, err
}

// RemoveJob implements [store.Jobs].
func (s *Store) RemoveJob(ctx context.Context, orgID, id string) (job.Job, error) {
	var removed job.Job
	err := s.write(ctx, func(v view, c *changes) (err error) {
		if removed, err = findJob(v, orgID, id); err != nil {
			return err
		}
		c.urge()
		dropJob(c, removed)
		return nil
	})
	return removed, err
}

// DueCallbacks implements [store.Jobs].
func (s *Store) DueCallbacks(
	ctx context.Context, skip func(orgID, id string) bool, now time.Time, limit int,
) (due []job.Job, next time.Time, err error) {
	err = s.read(ctx, func(v view) (err error) {
		due, next = nil, time.Time{}
		v.keys(prefix(kindJobCall), func(rest string) bool {
			parts := split(rest, 3)
			if len(parts) != 3 || skip != nil && skip(parts[1], parts[2]) {
				return true
			}
			at := timeOf(parts[0])
			if len(due) == max(limit, 0) || at.After(now) {
				next = at
				return false
			}
			var j job.Job
			if j, err = findListedJob(v, parts[1], parts[2]); isUnreadable(err) {
				err = nil
				return true
			}
			due = append(due, j)
			return err == nil
		})
		return err
	})
	return due, next, err
}

// RecordCallback implements [store.Jobs].
func (s *Store) RecordCallback(ctx context.Context, orgID, id string, try job.CallbackTry, now time.Time) error {
	return s.changeJob(ctx, orgID, id, func(j job.Job) (job.Job, error) { return j.RecordCallback(try, now) })
}

package badger

import (
	"context"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/job"
	"munadi/store/record"
)

// jobsListedKey marks that the index of all jobs is complete.
var jobsListedKey = []byte("jobs-listed")

// listOldJobs builds the index of all jobs once, for databases of a version without it.
func listOldJobs(db *badgerdb.DB, lost *unreadableRecords) error {
	batch := db.NewWriteBatch()
	defer batch.Cancel()
	listed := false
	err := db.View(func(txn *badgerdb.Txn) (err error) {
		v := snapshotView{txn: txn, lost: lost}
		if listed, err = v.hasKey(jobsListedKey); err != nil || listed {
			return err
		}
		all, err := listRecords[job.Job](v, joinPrefix(kindJob))
		for _, j := range all {
			if err := batch.Set(creationEntry(j), []byte{}); err != nil {
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

// JobsPage implements [store.JobStore].
func (s *BadgerStore) JobsPage(
	ctx context.Context, orgID string, limit int, cursor string,
) (page store.ListPage[job.Job], err error) {
	if err := record.CheckLimit(limit); err != nil || !isKeyPart(orgID) {
		return page, err
	}
	err = s.readSnapshot(ctx, func(v snapshotView) (err error) {
		list, index := []string{"jobs", orgID}, joinPrefix(kindJobMade, orgID)
		page, err = newestPage(v, list, index, limit, cursor, func(place string) (job.Job, error) {
			return findJob(v, orgID, lastPart(place))
		})
		return err
	})
	return page, err
}

// RemoveJob implements [store.JobStore].
func (s *BadgerStore) RemoveJob(ctx context.Context, orgID, id string) (job.Job, error) {
	var removed job.Job
	err := s.submitCommand(ctx, func(v snapshotView, c *changeSet) (err error) {
		if removed, err = findJob(v, orgID, id); err != nil {
			return err
		}
		c.markUrgent()
		dropJob(c, removed)
		return nil
	})
	return removed, err
}

// DueCallbacks implements [store.JobStore].
func (s *BadgerStore) DueCallbacks(
	ctx context.Context, skip func(orgID, id string) bool, now time.Time, limit int,
) (due []job.Job, next time.Time, err error) {
	var stale staleEntries
	err = s.readSnapshot(ctx, func(v snapshotView) (err error) {
		due, next, stale = nil, time.Time{}, staleEntries{}
		v.visitKeys(joinPrefix(kindJobCall), func(rest string) bool {
			parts := splitKey(rest, 3)
			if len(parts) != 3 || skip != nil && skip(parts[1], parts[2]) {
				return true
			}
			at := timeOf(parts[0])
			if len(due) == max(limit, 0) || at.After(now) {
				next = at
				return false
			}
			j, found := findJob(v, parts[1], parts[2])
			var owed bool
			if owed, err = stale.isCurrentEntry(append(joinPrefix(kindJobCall), rest...), callbackOf(j), found); owed {
				due = append(due, j)
			}
			return err == nil
		})
		return err
	})
	if err == nil {
		err = s.dropStale(ctx, stale)
	}
	return due, next, err
}

// RecordCallback implements [store.JobStore].
func (s *BadgerStore) RecordCallback(ctx context.Context, orgID, id string, try job.CallbackTry, now time.Time) error {
	return s.changeJob(ctx, orgID, id, func(j job.Job) (job.Job, error) { return j.RecordCallback(try, now) })
}

package badger

import (
	"context"
	"time"

	"munadi/store/call"
)

// The actors that are no person.
const (
	byScheduler = "scheduler"
	byDialler   = "dialler"
	byCaller    = "caller"
)

// byPerson says whether an actor is a person or a key that speaks for one: their deeds stand in the audit trail too.
func byPerson(actor string) bool {
	return actor != byScheduler && actor != byDialler && actor != byCaller
}

// addTimelineLine adds what happened to a call to its timeline. Lines are numbered within the call, so that none hides another
// and their order is that of the changes, whatever the clock did.
func (e writeTx) addTimelineLine(r *callRecord, at time.Time, event, actor, note string) {
	r.Lines++
	e.putRecord(joinKey(kindCallLine, r.Call.OrgID, r.Call.ID, encodeRank(r.Lines)), call.TimelineEntry{
		At: at, Event: event, Actor: actor, Note: note,
	})
}

// CallTimeline implements [store.CallStore].
func (s *BadgerStore) CallTimeline(ctx context.Context, orgID, id string) ([]call.TimelineEntry, error) {
	var entries []call.TimelineEntry
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		if _, err := findCall(writeTx{view: v, changeSet: &changeSet{}}, orgID, id); err != nil {
			return err
		}
		var err error
		entries, err = listRecords[call.TimelineEntry](v, joinPrefix(kindCallLine, orgID, id))
		return err
	})
	return entries, err
}

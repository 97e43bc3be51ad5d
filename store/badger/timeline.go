package badger

import (
	"context"

	"munadi/store/call"
)

// addTimelineLine appends an event to a call's timeline. Entries are numbered within the call, so that none overwrites
// another and their order is independent of the clock.
func (e writeTx) addTimelineLine(r *callRecord, line call.TimelineEntry) {
	r.Lines++
	e.putRecord(joinKey(kindCallLine, r.Call.OrgID, r.Call.ID, encodeRank(r.Lines)), line)
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

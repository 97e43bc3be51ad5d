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

// line adds what happened to a call to its timeline. Lines are numbered within the call, so that none hides another
// and their order is that of the changes, whatever the clock did.
func (e edit) line(r *callRecord, at time.Time, event, actor, note string) {
	r.Lines++
	e.put(key(kindCallLine, r.Call.OrgID, r.Call.ID, rank(r.Lines)), call.Entry{
		At: at, Event: event, Actor: actor, Note: note,
	})
}

// Timeline implements [store.Calls].
func (s *Store) Timeline(ctx context.Context, orgID, id string) ([]call.Entry, error) {
	var entries []call.Entry
	err := s.read(ctx, func(v view) error {
		if _, err := findCall(edit{view: v, changes: &changes{}}, orgID, id); err != nil {
			return err
		}
		var err error
		entries, err = list[call.Entry](v, prefix(kindCallLine, orgID, id))
		return err
	})
	return entries, err
}

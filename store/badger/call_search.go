package badger

import (
	"context"

	"munadi/store"
	"munadi/store/call"
)

// callSearch is a search in the transcripts of a list of calls; the zero value accepts every call without reading its
// messages.
type callSearch struct {
	words   string
	examine func(call.Call) (found, more bool)
}

// SearchCalls implements [store.CallStore].
func (s *BadgerStore) SearchCalls(
	ctx context.Context, orgID string, f store.CallFilter, words string, examine func(call.Call) (found, more bool),
) (store.ListPage[call.Call], error) {
	return s.listCalls(ctx, orgID, f, callSearch{words, examine})
}

// cursorParts returns what a search's cursors contain in addition to those of a list.
func (c callSearch) cursorParts() []string {
	if c.examine == nil {
		return nil
	}
	return []string{"search", c.words}
}

// examineCall reads the messages of a call and examines it. Unreadable messages are skipped.
func (c callSearch) examineCall(v snapshotView, r *callRecord) (found, more bool, err error) {
	if c.examine == nil {
		return true, true, nil
	}
	if r.Words {
		place := joinKey(kindCallWords, r.Call.OrgID, r.Call.ID)
		if _, err := v.getRecord(place, &r.Call.Messages); err != nil && !store.IsUnreadable(err) {
			return false, false, err
		}
	}
	found, more = c.examine(r.Call)
	return found, more, nil
}

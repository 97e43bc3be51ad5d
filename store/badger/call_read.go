package badger

import (
	"context"
	"slices"

	"munadi/store"
	"munadi/store/call"
)

// FindCall implements [store.CallStore].
func (s *BadgerStore) FindCall(ctx context.Context, orgID, id string) (call.Call, error) {
	c, err := s.readCall(ctx, orgID, id)
	if store.CodeOf(err) == store.CodeNotFound && call.ValidID(id) && s.findDamage(ctx, joinKey(kindCall, orgID, id)) {
		return s.readCall(ctx, orgID, id)
	}
	return c, err
}

// readCall reads a call once, without a check for new damage.
func (s *BadgerStore) readCall(ctx context.Context, orgID, id string) (call.Call, error) {
	var r callRecord
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		if r, err = findCall(writeTx{v, &changeSet{}}, orgID, id); err != nil || !r.Words {
			return err
		}
		_, err = v.getRecord(joinKey(kindCallWords, orgID, id), &r.Call.Messages)
		return err
	})
	return r.Call, err
}

// RunningCalls implements [store.CallStore].
func (s *BadgerStore) RunningCalls(ctx context.Context) ([]call.Call, error) {
	var running []call.Call
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		places, err := runningPlaces(v, int(^uint(0)>>1))
		for _, place := range places {
			var r callRecord
			if r, err = findCall(writeTx{v, &changeSet{}}, place[0], place[1]); isUnreadable(err) {
				err = nil
				continue
			}
			if err != nil {
				break
			}
			running = append(running, r.Call)
		}
		return err
	})
	return running, err
}

// CallsPage implements [store.CallStore].
func (s *BadgerStore) CallsPage(ctx context.Context, orgID string, f store.CallFilter) (store.ListPage[call.Call], error) {
	page, err := s.readCalls(ctx, orgID, f)
	if err == nil && isKeyPart(orgID) && (page.Next == "" || page.Unreadable > 0) && s.findDamage(ctx, indexesOf(orgID, f)[0]) {
		return s.readCalls(ctx, orgID, f)
	}
	return page, err
}

// readCalls reads a page of calls once, without a check for new damage.
func (s *BadgerStore) readCalls(ctx context.Context, orgID string, f store.CallFilter) (store.ListPage[call.Call], error) {
	page := store.ListPage[call.Call]{Items: []call.Call{}}
	if err := checkLimit(f.Limit); err != nil || !isKeyPart(orgID) {
		return page, err
	}
	from, to := encodeTimeBound(f.CreatedFrom), encodeTimeBound(f.CreatedTo)
	list := []string{"calls", orgID, string(f.Status), f.ScenarioID, f.PhoneNumber, from, to}
	before, err := placeOfCursor(list, f.Cursor)
	if err != nil {
		return page, err
	}
	if before == "" {
		before = encodeTimeBound(f.CreatedTo)
	}
	err = s.readSnapshot(ctx, func(v snapshotView) (err error) {
		var last string
		v.visitNewest(indexesOf(orgID, f), before, func(place string) bool {
			if place < encodeTimeBound(f.CreatedFrom) {
				return false
			}
			if len(page.Items) == f.Limit {
				page.Next = encodeCursor(list, last)
				return false
			}
			last = place
			var r callRecord
			if r, err = findIndexed(v, orgID, lastPart(place)); isUnreadable(err) {
				page.Unreadable++
				err = nil
				return true
			}
			if err != nil {
				return false
			}
			page.Items = append(page.Items, r.Call)
			return true
		})
		page.Incomplete = page.Unreadable > 0 || v.touchedBy(indexesOf(orgID, f))
		return err
	})
	return page, err
}

// findIndexed returns the call of an index entry. An entry without a record means that the record was lost to damage.
func findIndexed(v snapshotView, orgID, id string) (callRecord, error) {
	r, err := findCall(writeTx{v, &changeSet{}}, orgID, id)
	if store.CodeOf(err) == store.CodeNotFound {
		err = v.lost.newUnreadableError(joinKey(kindCall, orgID, id), err)
	}
	return r, err
}

// touchedBy reports whether damage may have removed entries of the indexes.
func (v snapshotView) touchedBy(indexes [][]byte) bool {
	return slices.ContainsFunc(indexes, v.lost.touchesPrefix)
}

// indexesOf returns the indexes whose intersection is the calls that match a filter.
func indexesOf(orgID string, f store.CallFilter) [][]byte {
	var indexes [][]byte
	if f.PhoneNumber != "" {
		indexes = append(indexes, joinPrefix(kindCallNumber, orgID, f.PhoneNumber))
	}
	if f.Status != "" {
		indexes = append(indexes, joinPrefix(kindCallStatus, orgID, string(f.Status)))
	}
	if f.ScenarioID != "" {
		indexes = append(indexes, joinPrefix(kindCallScenario, orgID, f.ScenarioID))
	}
	if indexes == nil {
		indexes = append(indexes, joinPrefix(kindCallMade, orgID))
	}
	return indexes
}

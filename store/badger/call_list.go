package badger

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/record"
)

// CallsPage implements [store.CallStore].
func (s *BadgerStore) CallsPage(
	ctx context.Context,
	orgID string,
	f store.CallFilter,
) (store.ListPage[call.Call], error) {
	return s.listCalls(ctx, orgID, f, callSearch{})
}

// listCalls reads a page of calls, and reads it again if that reveals new damage.
func (s *BadgerStore) listCalls(
	ctx context.Context, orgID string, f store.CallFilter, search callSearch,
) (store.ListPage[call.Call], error) {
	page, read, err := s.readCalls(ctx, orgID, f, search)
	if err != nil || !isKeyPart(orgID) || page.Next != "" && read.unreadable == 0 && len(read.missing) == 0 {
		return page, err
	}
	for _, key := range read.missing {
		read.suspects = append(read.suspects, keyRange{key, key})
	}
	if s.findDamage(ctx, read.suspects...) {
		page, _, err = s.readCalls(ctx, orgID, f, search)
	}
	return page, err
}

// indexReading records the reads of a list: its indexes by group, the base index last, the key ranges whose loss would
// hide calls of the list, the keys that other indexes refer to but the base index lacks, and the number of calls that
// cannot be read.
type indexReading struct {
	groups     [][][]byte
	suspects   []keyRange
	missing    [][]byte
	unreadable int
}

// suspectBounds returns the key ranges of the indexes within the bounds of a list. The base index, the last group, has
// every call; it is included only if it is the only group, since other indexes reveal a key that it lacks. If a group
// has no key in its range, only that group is returned: it alone explains an empty list.
func (v snapshotView) suspectBounds(groups [][][]byte, f store.CallFilter) (ranges []keyRange) {
	from, to := placeBounds(f)
	if len(groups) > 1 {
		groups = groups[:len(groups)-1]
	}
	for _, group := range groups {
		var own []keyRange
		for _, index := range group {
			own = append(own, keyRange{slices.Concat(index, []byte(from)), slices.Concat(index, []byte(to))})
		}
		if !slices.ContainsFunc(own, v.hasKeysIn) {
			return own
		}
		ranges = append(ranges, own...)
	}
	return ranges
}

// hasKeysIn reports whether there is a key in a range.
func (v snapshotView) hasKeysIn(r keyRange) bool {
	it := v.txn.NewIterator(keysOnly())
	defer it.Close()
	it.Seek(r.left)
	return it.Valid() && bytes.Compare(it.Item().Key(), r.right) <= 0
}

// readCalls reads a page of calls from one snapshot: the intersection of the filter's indexes, checked against the
// facts in the base index. Only the calls of the page are loaded.
func (s *BadgerStore) readCalls(
	ctx context.Context,
	orgID string,
	f store.CallFilter,
	search callSearch,
) (page store.ListPage[call.Call], read indexReading, err error) {
	page = store.ListPage[call.Call]{Items: []call.Call{}}
	if err = errors.Join(record.CheckLimit(f.Limit), record.CheckFilter(f)); err != nil || !isKeyPart(orgID) {
		return page, read, err
	}
	list := append(record.CallsList(orgID, f), search.cursorParts()...)
	after, err := record.PlaceOfCursor(list, f.Cursor)
	if err != nil {
		return page, read, err
	}
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		reader := callPageReader{view: v, orgID: orgID, filter: f, search: search, list: list, page: page}
		first, isPast := orderBounds(f)
		if after != "" {
			first = after
		}
		read = v.visitCalls(orgID, f, first, isPast, func(place string, fits bool) bool {
			return ctx.Err() == nil && reader.visitPlace(place, fits)
		})
		page, read.unreadable = reader.page, reader.unreadable
		if read.suspects == nil && (page.Next == "" || read.unreadable > 0) {
			read.suspects = v.suspectBounds(read.groups, f)
		}
		return cmp.Or(reader.err, ctx.Err())
	})
	return page, read, err
}

// findIndexed returns the call that an index entry refers to. Entries are written together with their call, so a
// missing call was lost to damage: the error is then that of an unreadable record.
func findIndexed(v snapshotView, orgID, id string) (callRecord, error) {
	r, err := findCall(writeTx{v, &changeSet{}}, orgID, id)
	if store.CodeOf(err) == store.CodeNotFound {
		err = v.newUnreadableError(joinKey(kindCall, orgID, id), err)
	}
	return r, err
}

// placeBounds returns the bounds of a list's places in its order; from is inclusive, to exclusive.
func placeBounds(f store.CallFilter) (from, to string) {
	from, to = encodeTimeBound(f.CreatedFrom), encodeTimeBound(f.CreatedTo)
	if f.Sort == store.SortByDueTime {
		from, to = encodeTimeBound(f.DueFrom), encodeTimeBound(f.DueTo)
	}
	if to == "" {
		to = beyond
	}
	return from, to
}

// orderBounds returns the first place of a list in its order, and a function that reports whether a place is past its
// end.
func orderBounds(f store.CallFilter) (first string, isPast func(place string) bool) {
	from, to := placeBounds(f)
	if f.Ascending {
		return from, func(place string) bool { return place >= to }
	}
	return to, func(place string) bool { return place < from }
}

// baseIndex returns the prefix of the index of all calls of an organization in the order of the filter.
func baseIndex(orgID string, f store.CallFilter) []byte {
	if f.Sort == store.SortByDueTime {
		return joinPrefix(kindCallWhen, orgID)
	}
	return joinPrefix(kindCallMade, orgID)
}

// manyStatuses is the number of statuses from which on the base index is read instead of theirs: a filter with that
// many excludes few calls.
const manyStatuses = 7

// indexesOf returns the indexes of a filter: a place must be in one index of each group, and the last group is the base
// index, whose values are the facts.
func indexesOf(orgID string, f store.CallFilter) [][][]byte {
	kinds := struct{ status, campaign, person, scenario, stopped string }{
		kindCallStatus, kindCallCampaign, kindCallPerson, kindCallScenario, kindCallStopped,
	}
	if f.Sort == store.SortByDueTime {
		kinds.status, kinds.campaign, kinds.person = kindCallStatusWhen, kindCallCampaignWhen, kindCallPersonWhen
		kinds.scenario, kinds.stopped = kindCallScenarioWhen, kindCallStoppedWhen
	}
	var groups [][][]byte
	if f.AnswerSlot != "" {
		groups = append(groups, [][]byte{answerIndex(orgID, f.AnswerSlot, f.AnswerValue)})
	}
	if f.NeedsPerson {
		groups = append(groups, [][]byte{needIndex(orgID, f)})
	}
	if f.Sort != store.SortByDueTime && f.PhoneNumber != "" {
		groups = append(groups, [][]byte{joinPrefix(kindCallTail, orgID, reverseDigits(f.PhoneNumber))})
	}
	switch {
	case f.People != "":
		groups = append(groups, personIndexes(kinds.person, orgID, f))
	case f.CampaignID != "":
		groups = append(groups, [][]byte{joinPrefix(kinds.campaign, orgID, f.CampaignID)})
	}
	if f.EndedBy == call.ByOperator {
		groups = append(groups, [][]byte{joinPrefix(kinds.stopped, orgID)})
	}
	if len(f.Statuses) > 0 && len(f.Statuses) < manyStatuses {
		var any [][]byte
		for _, status := range f.Statuses {
			any = append(any, joinPrefix(kinds.status, orgID, string(status)))
		}
		groups = append(groups, any)
	}
	if f.ScenarioID != "" {
		groups = append(groups, [][]byte{joinPrefix(kinds.scenario, orgID, f.ScenarioID)})
	}
	return append(groups, [][]byte{baseIndex(orgID, f)})
}

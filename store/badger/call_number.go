package badger

import (
	"cmp"
	"encoding/base64"
	"slices"

	"munadi/store"
)

// maxNumberMatches limits the calls that a search by the end of a number reads from the index of numbers. With more
// matches the base index is read instead, where a page fills up after few entries.
const maxNumberMatches = 5000

// reverseDigits reverses a number, so that numbers with the same end are adjacent in an index.
func reverseDigits(number string) string {
	digits := []byte(number)
	slices.Reverse(digits)
	return string(digits)
}

// answerIndex returns the prefix of the index of calls with one answer.
func answerIndex(orgID, slot, value string) []byte {
	return joinPrefix(kindCallAnswerWhen, orgID, slot, base64.RawURLEncoding.EncodeToString([]byte(value)))
}

// needIndex returns the prefix of the index of calls that a person must follow up, in the order of the filter.
func needIndex(orgID string, f store.CallFilter) []byte {
	if f.Sort == store.SortByDueTime {
		return joinPrefix(kindCallNeedWhen, orgID)
	}
	return joinPrefix(kindCallNeed, orgID)
}

// personIndexes returns the index prefixes of a campaign's people that a filter lists.
func personIndexes(kind, orgID string, f store.CallFilter) (any [][]byte) {
	groups := []store.PeopleGroup{f.People}
	if f.People == store.AllPeople {
		groups = []store.PeopleGroup{store.OtherPeople, store.UnreachedPeople}
	}
	for _, group := range groups {
		any = append(any, joinPrefix(kind, orgID, f.CampaignID, string(group)))
	}
	return any
}

// numberPlaces returns the places, in the order of the filter, of all calls whose number may match a filter; false when
// the filter has no end of a number, another index serves it, or more than [maxNumberMatches] match.
func (v snapshotView) numberPlaces(orgID string, f store.CallFilter) (places []string, few bool) {
	index := joinPrefix(kindCallTail, orgID)
	switch {
	case f.PhoneNumber != "" && f.Sort == store.SortByDueTime:
		index = joinPrefix(kindCallTail, orgID, reverseDigits(f.PhoneNumber))
	case f.PhoneNumber != "":
		return nil, false
	case f.NumberEnds != "":
		index = append(index, reverseDigits(f.NumberEnds)...)
	default:
		return nil, false
	}
	w := v.openWalk(index)
	defer w.closeWalk()
	for _, ok := w.seekFirstPlace(); ok; _, ok = w.nextPlace() {
		parts := splitKey(string(w.it.Item().Key()[len(joinPrefix(kindCallTail, orgID)):]), 3)
		if len(parts) != 3 {
			continue
		}
		if len(places) == maxNumberMatches {
			return nil, false
		}
		place := parts[1] + "/" + parts[2]
		if f.Sort == store.SortByDueTime {
			due, err := v.valueOf(w.it.Item())
			if err == nil && timeOf(string(due)).IsZero() {
				err = v.newUnreadableError(w.currentKey(), errNoTime)
			}
			if err != nil {
				continue
			}
			place = string(due) + "/" + place
		}
		places = append(places, place)
	}
	slices.Sort(places)
	if !f.Ascending {
		slices.Reverse(places)
	}
	return places, true
}

// seekFirstPlace seeks to the first place of the whole walk.
func (w *indexWalk) seekFirstPlace() (string, bool) {
	w.it.Seek(w.part)
	return w.currentPlace()
}

// visitCalls calls visit with the place of each call that the indexes of a filter contain, and whether it matches the
// whole filter. The visit is in the filter's order, begins behind the place after, and ends when isPast holds or visit
// returns false.
func (v snapshotView) visitCalls(
	orgID string, f store.CallFilter, after string, isPast func(place string) bool,
	visit func(place string, fits bool) bool,
) (read indexReading) {
	matches := newFactsMatcher(f)
	visitFacts := func(place string, facts []byte) bool {
		return !isPast(place) && visit(place, matches(v.intactFacts(orgID, place, facts)))
	}
	if places, few := v.numberPlaces(orgID, f); few {
		tails := joinPrefix(kindCallTail, orgID)
		number := slices.Concat(tails, []byte(reverseDigits(cmp.Or(f.PhoneNumber, f.NumberEnds))))
		read.groups = [][][]byte{{tails}, {baseIndex(orgID, f)}}
		read.suspects = []keyRange{{number, slices.Concat(number, []byte(beyond))}}
		read.missing = v.visitCallsAtPlaces(places, orgID, f, after, visitFacts)
		return read
	}
	read.groups = indexesOf(orgID, f)
	w := v.openPlaces(read.groups, !f.Ascending)
	defer w.closeWalk()
	w.visitAfter(after, visitFacts)
	for _, place := range w.missing {
		read.missing = append(read.missing, append(baseIndex(orgID, f), place...))
	}
	return read
}

// intactFacts returns the facts of a call: those of the base index, or, where these are damaged, those of its record;
// empty for an unreadable call.
func (v snapshotView) intactFacts(orgID, place string, facts []byte) []byte {
	if areFacts(facts) {
		return facts
	}
	r, err := findIndexed(v, orgID, lastPart(place))
	if err != nil {
		return nil
	}
	return factsOf(r.Call).encode()
}

// isPerson reports whether the call at a place decides for one of the people whom a filter lists.
func (v snapshotView) isPerson(orgID string, f store.CallFilter, place string) (found bool, err error) {
	kind := kindCallPerson
	if f.Sort == store.SortByDueTime {
		kind = kindCallPersonWhen
	}
	for _, index := range personIndexes(kind, orgID, f) {
		if err == nil && !found {
			found, err = v.hasKey(append(index, place...))
		}
	}
	return found, err
}

// visitCallsAtPlaces calls visit with each place behind after and the facts of its call, until visit returns false.
// Calls without the answer, follow-up mark or people group of the filter are left out. missing are the keys that the
// base index lacks.
func (v snapshotView) visitCallsAtPlaces(
	places []string, orgID string, f store.CallFilter, after string, visit func(place string, facts []byte) bool,
) (missing [][]byte) {
	for _, place := range places {
		if f.Ascending && place <= after || !f.Ascending && place >= after {
			continue
		}
		facts, found, err := v.rawValue(append(baseIndex(orgID, f), place...))
		if !found && len(missing) < maxMissing {
			missing = append(missing, append(baseIndex(orgID, f), place...))
		}
		if store.IsUnreadable(err) {
			found, err = true, nil
		}
		if found && err == nil && f.AnswerSlot != "" {
			found, err = v.hasKey(append(answerIndex(orgID, f.AnswerSlot, f.AnswerValue), place...))
		}
		if found && err == nil && f.NeedsPerson {
			found, err = v.hasKey(append(needIndex(orgID, f), place...))
		}
		if found && err == nil && f.People != "" {
			found, err = v.isPerson(orgID, f, place)
		}
		if found && err == nil && !visit(place, facts) {
			break
		}
	}
	return missing
}

package badger

import (
	"bytes"
	"slices"
	"strings"

	"munadi/store"
	"munadi/store/call"
)

// callFacts are the fields of a call that filters compare; they are the values of the two base indexes.
type callFacts struct{ status, endedBy, scenario, campaign, made, due, number string }

// factsOf returns the facts of a call.
func factsOf(c call.Call) callFacts {
	return callFacts{
		string(c.Status), string(c.EndedBy), c.ScenarioID, c.CampaignID, encodeTime(c.CreatedAt), encodeTime(c.ScheduledAt),
		c.PhoneNumber,
	}
}

// encode joins the facts with '/', which none of them contains.
func (c callFacts) encode() []byte {
	return []byte(strings.Join([]string{c.status, c.endedBy, c.scenario, c.campaign, c.made, c.due, c.number}, "/"))
}

// areFacts reports whether a value of a base index is intact.
func areFacts(encoded []byte) bool { return bytes.Count(encoded, []byte{'/'}) == 6 }

// newFactsMatcher returns a function that reports whether a call with these encoded facts matches a filter.
func newFactsMatcher(f store.CallFilter) func(encoded []byte) bool {
	madeFrom, madeTo := encodeTimeBound(f.CreatedFrom), encodeTimeBound(f.CreatedTo)
	dueFrom, dueTo := encodeTimeBound(f.DueFrom), encodeTimeBound(f.DueTo)
	return func(encoded []byte) bool {
		if !areFacts(encoded) {
			return false
		}
		parts := splitKey(string(encoded), 7)
		c := callFacts{parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6]}
		return (len(f.Statuses) == 0 || slices.Contains(f.Statuses, call.CallStatus(c.status))) &&
			matchesFilter(string(f.EndedBy), c.endedBy) && (f.NotEndedBy == "" || string(f.NotEndedBy) != c.endedBy) &&
			matchesFilter(f.ScenarioID, c.scenario) && matchesFilter(f.CampaignID, c.campaign) &&
			matchesFilter(f.PhoneNumber, c.number) && strings.Contains(c.number, f.NumberContains) &&
			strings.HasSuffix(c.number, f.NumberEnds) &&
			c.made >= madeFrom && (madeTo == "" || c.made < madeTo) && c.due >= dueFrom && (dueTo == "" || c.due < dueTo)
	}
}

// matchesFilter reports whether a value is the wanted one; an empty filter matches every value.
func matchesFilter(wanted, value string) bool { return wanted == "" || wanted == value }

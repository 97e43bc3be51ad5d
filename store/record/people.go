package record

import (
	"bytes"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
)

// PersonGroup returns the group in which a person of a campaign is counted by this call, if it is the deciding one: the
// last call that reached the person, else the last one. Empty for any other call.
func (r CallRecord) PersonGroup() store.PeopleGroup {
	c := r.Call
	switch {
	case c.CampaignID == "" || r.Superseded || r.IsFollowed() && !campaign.HasReached(c):
		return ""
	case campaign.IsUnreached(c):
		return store.UnreachedPeople
	}
	return store.OtherPeople
}

// IsFollowed reports whether another call to or from the same person came after this one.
func (r CallRecord) IsFollowed() bool { return r.Followed || r.LaterID() != nil }

// LaterID returns the id of the call to or from the same person after this one; nil if there is none, or not known.
func (r CallRecord) LaterID() *string {
	if r.Later != "" {
		return &r.Later
	}
	return r.Call.Attempt.NextID
}

// EarlierID returns the id of the call to or from the same person before this one; nil without one.
func (r CallRecord) EarlierID() *string {
	if r.Earlier != "" {
		return &r.Earlier
	}
	return r.Call.Attempt.PreviousID
}

// IsSuperseding reports whether a later call to the same person decides only once it has reached them, because this one
// or an earlier one has.
func (r CallRecord) IsSuperseding() bool { return r.Superseded || campaign.HasReached(r.Call) }

// DecidesOver reports whether a call decides instead of an earlier one that reached the person, too: the last one that
// reached them, but a call-back asks nothing, so that the answers of a completed call stay.
func (r CallRecord) DecidesOver(earlier CallRecord) bool {
	return campaign.HasReached(r.Call) && (!r.Call.IsCallBack() || earlier.Call.Status != call.Completed)
}

// TakesOver reports whether an ended call becomes the deciding one, in place of an earlier one that reached the person.
func (r CallRecord) TakesOver() bool { return r.Superseded && campaign.HasReached(r.Call) }

// MarkSuperseded sets [CallRecord.Superseded] in the calls of a campaign as an older version wrote them, where people
// were called again after they had been reached, and returns the changed calls.
func MarkSuperseded(calls []CallRecord) (changed []CallRecord) {
	place := map[string]int{}
	for i, r := range calls {
		place[r.Call.ID] = i
	}
	for i, r := range calls {
		if !r.IsFollowed() || !campaign.HasReached(r.Call) || r.Superseded {
			continue
		}
		decider, chain := i, []int{i}
		for next := r.Call.Attempt.NextID; next != nil; {
			at, known := place[*next]
			if !known {
				break
			}
			if chain = append(chain, at); campaign.HasReached(calls[at].Call) {
				decider = at
			}
			next = calls[at].Call.Attempt.NextID
		}
		for _, at := range chain {
			if at != decider && !calls[at].Superseded {
				calls[at].Superseded = true
				changed = append(changed, calls[at])
			}
		}
	}
	return changed
}

// MovePerson updates a campaign's counts of people after a change of a call; before is nil for a new call. It does
// nothing in a campaign whose people are not counted yet.
func MovePerson(tally *campaign.CampaignTally, before *CallRecord, after CallRecord) {
	if tally.People == nil {
		return
	}
	if before != nil && before.PersonGroup() != "" {
		tally.People.CountPerson(before.Call, -1)
	}
	if after.PersonGroup() != "" {
		tally.People.CountPerson(after.Call, 1)
	}
}

// MovesPerson reports whether [MovePerson] changes any count.
func MovesPerson(before *CallRecord, after CallRecord) bool {
	group := after.PersonGroup()
	if before == nil || before.PersonGroup() != group {
		return before != nil || group != ""
	}
	return group != "" && (before.Call.Status != after.Call.Status ||
		!bytes.Equal(before.Call.CountedReport(), after.Call.CountedReport()))
}

// MoveCall counts a call of a campaign that changed its status, and the answers that it ended with; before is nil for a
// new call.
func MoveCall(tally *campaign.CampaignTally, before *CallRecord, after call.Call) {
	var from call.CallStatus
	if before != nil {
		from = before.Call.Status
	}
	tally.MoveCall(from, after.Status)
	if after.Status.IsFinal() {
		tally.AddReport(after.CountedReport())
	}
}

// CountPeople counts the people of a campaign from all of its calls.
func CountPeople(calls []CallRecord) *campaign.PeopleTally {
	people := campaign.NewPeopleTally()
	for _, r := range calls {
		if r.PersonGroup() != "" {
			people.CountPerson(r.Call, 1)
		}
	}
	return people
}

// TallyCampaign computes the counters of a campaign from all of its calls, where they are damaged. The answers of
// people who were erased, and of reports that expired, are not in it.
func TallyCampaign(calls []CallRecord) campaign.CampaignTally {
	tally := campaign.CampaignTally{Counts: CountStatuses(calls), People: CountPeople(calls)}
	for _, r := range calls {
		if r.Call.Status.IsFinal() {
			tally.AddReport(r.Call.CountedReport())
		}
	}
	return tally
}

// CountStatuses counts calls by status.
func CountStatuses(calls []CallRecord) map[call.CallStatus]int {
	counts := map[call.CallStatus]int{}
	for _, r := range calls {
		counts[r.Call.Status]++
	}
	return counts
}

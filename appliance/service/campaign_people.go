package service

import (
	"context"
	"slices"

	"munadi/store/call"
	"munadi/store/campaign"
)

// CampaignPeople counts the people of a campaign, each once, whatever number of calls was made to reach them.
type CampaignPeople struct {
	Tally     campaign.CampaignTally // people by the status of their deciding call, and the answers of those calls
	Unreached int                    // people whose deciding call reached nobody, see [campaign.IsUnreached]
}

// CountPeople counts the people of a campaign. It reads all calls of the campaign.
func (u *UseCases) CountPeople(ctx context.Context, orgID, id string) (counted CampaignPeople, err error) {
	calls, err := u.decidingCalls(ctx, orgID, id)
	for _, c := range calls {
		counted.Tally.MoveCall("", c.Status)
		counted.Tally.AddReport(c.CurrentReport())
		if campaign.IsUnreached(c) {
			counted.Unreached++
		}
	}
	return counted, err
}

// PeopleFilter narrows the people of a campaign; zero fields do not.
type PeopleFilter struct {
	Status       call.CallStatus // of the deciding call
	Unreached    bool
	Slot, Answer string // an answer of the deciding call's report, as campaigns count it
}

// FindPeople returns the deciding calls of the people of a campaign that a filter lets through, in the order in which
// they were booked. For the same calls it finds as many people as [UseCases.CountPeople] counts.
func (u *UseCases) FindPeople(ctx context.Context, orgID, id string, f PeopleFilter) ([]call.Call, error) {
	calls, err := u.decidingCalls(ctx, orgID, id)
	return slices.DeleteFunc(calls, func(c call.Call) bool {
		return f.Status != "" && c.Status != f.Status || f.Unreached && !campaign.IsUnreached(c) ||
			f.Slot != "" && !campaign.HasAnswer(c.CurrentReport(), f.Slot, f.Answer)
	}), err
}

// decidingCalls returns one call for each person of a campaign: the first that reached them, else their last one. A
// person is a number; calls of erased people, which have none, are joined by their chain of attempts.
func (u *UseCases) decidingCalls(ctx context.Context, orgID, id string) ([]call.Call, error) {
	var calls []call.Call
	place := map[string]int{}
	err := u.visitCalls(ctx, orgID, id, func(c call.Call) error {
		person := c.PhoneNumber
		if person == "" {
			person = c.Attempt.ChainID
		}
		at, known := place[person]
		switch {
		case !known:
			place[person] = len(calls)
			calls = append(calls, c)
		case !hasReached(calls[at]):
			calls[at] = c
		}
		return nil
	})
	return calls, err
}

// hasReached reports whether a call ended with its person being reached, be it that they declined.
func hasReached(c call.Call) bool {
	return c.Status.IsFinal() && c.Status != call.Cancelled && !campaign.IsUnreached(c)
}

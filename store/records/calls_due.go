package records

import (
	"cmp"
	"context"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/driver"
	"munadi/store/record"
)

// numberBusy leaves out the calls to a number that another appliance has on a line.
var numberBusy = &driver.Beside{Index: callsRunning, Columns: []string{"org", "number"}}

// DueCallsOf implements [store.CallStore].
func (s *Records) DueCallsOf(
	ctx context.Context, room func(orgID string) int, now time.Time, limit int,
) (found []call.Call, next time.Time, err error) {
	limit = max(limit, 0)
	rows, next, err := s.db.Due(ctx, driver.DueQuery{
		Table: calls.Table, Index: callsDue, Now: now, Limit: limit, Beside: numberBusy,
		Room: func(_ driver.Tx, partition []string) (int, error) { return room(partition[0]), nil },
	})
	return earliestCalls(rows, limit), next, err
}

// DueCampaignCalls implements [store.CampaignStore]: of the campaigns that this appliance owns, so that one appliance
// enforces a campaign's limits.
func (s *Records) DueCampaignCalls(
	ctx context.Context, room func(c campaign.Campaign) int, now time.Time, limit int,
) (found []call.Call, next time.Time, err error) {
	limit = max(limit, 0)
	var begin time.Time // of the first campaign that has not started
	rows, next, err := s.db.Due(ctx, driver.DueQuery{
		Table: calls.Table, Index: campaignCallsDue, Now: now, Limit: limit, Beside: numberBusy,
		Room: func(tx driver.Tx, partition []string) (int, error) {
			c, found, err := campaigns.get(tx, driver.OwnRecord, partition)
			switch {
			case err != nil || !found || !c.IsOpen():
				return 0, store.IgnoreMissing(err)
			case c.StartsAt != nil && c.StartsAt.After(now):
				begin = record.EarliestTime(begin, *c.StartsAt)
				return 0, nil
			}
			c.Tally, err = tallyOf(tx, c.OrgID, c.ID)
			return room(c), err
		},
	})
	return earliestCalls(rows, limit), record.EarliestTime(next, begin), err
}

// earliestCalls returns the earliest of due calls, at most limit; calls of equal time in order of creation.
func earliestCalls(rows []driver.Row, limit int) (found []call.Call) {
	for _, row := range rows {
		found = append(found, calls.decode(row).Call)
	}
	slices.SortFunc(found, func(a, b call.Call) int {
		return cmp.Or(a.ScheduledAt.Compare(b.ScheduledAt), a.CreatedAt.Compare(b.CreatedAt),
			cmp.Compare(a.ID, b.ID), cmp.Compare(a.OrgID, b.OrgID))
	})
	return found[:min(len(found), limit)]
}

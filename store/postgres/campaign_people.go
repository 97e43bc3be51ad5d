package postgres

import (
	"context"

	"munadi/store"
	"munadi/store/campaign"
	"munadi/store/record"
)

// supersedeEarlierCall makes a call that has reached its person the deciding one, instead of the earlier one: after a
// requested call back, the later answers count.
func supersedeEarlierCall(e *dbTx, r *record.CallRecord) error {
	if !r.TakesOver() {
		return nil
	}
	r.Superseded = false
	for id := r.Call.Attempt.PreviousID; id != nil; {
		before, found, err := calls.lockReadable(e, r.Call.OrgID, *id)
		if err != nil {
			return err
		}
		if !found {
			break
		}
		if !before.Superseded {
			return supersedeCall(e, before)
		}
		id = before.Call.Attempt.PreviousID
	}
	deciders, err := calls.list(e, "WHERE org = $1 AND campaign = $2 AND number = $3 AND number <> '' AND person <> '' "+
		"AND id <> $4 FOR UPDATE", r.Call.OrgID, r.Call.CampaignID, r.Call.PhoneNumber, r.Call.ID)
	for _, before := range deciders { // the deciding call may be in another retry chain, after a call was reopened
		if err == nil {
			err = supersedeCall(e, before)
		}
	}
	return err
}

// supersedeCall marks a call as no longer the deciding one.
func supersedeCall(e *dbTx, before record.CallRecord) error {
	after := before
	after.Superseded = true
	return saveCall(e, before, after)
}

// uncountedCampaigns selects the campaigns whose people are not counted, because an appliance of an older version wrote
// their counters last.
const uncountedCampaigns = "c WHERE NOT EXISTS (SELECT 1 FROM campaign_tallies t WHERE t.org = c.org AND " +
	`t.campaign = c.id AND position('"people":{"counts":{'::bytea IN t.record) > 0)`

// countPeople computes the counters of campaigns whose people are not counted.
func (s *PostgresStore) countPeople(ctx context.Context) error {
	var uncounted []campaign.Campaign
	err := s.readRows(ctx, func(e *dbTx) (err error) {
		uncounted, err = campaigns.list(e, uncountedCampaigns)
		return err
	})
	for _, c := range uncounted {
		if err == nil {
			err = s.updateTx(ctx, func(e *dbTx) error { return countCampaign(e, c) })
		}
	}
	return err
}

// countForOlder counts the people of campaigns that appliances of an older version change during a rolling upgrade.
func (s *PostgresStore) countForOlder(ctx context.Context) {
	if err := s.countPeople(ctx); err != nil && ctx.Err() == nil && store.CodeOf(err) != store.CodeClosed {
		s.log.Warn("the people of campaigns could not be counted; trying again", "err", err)
	}
}

// countCampaign computes the counters of a campaign from its calls, unless another appliance has done so; the counted
// answers of its calls stay, since they outlive reports.
func countCampaign(e *dbTx, c campaign.Campaign) error {
	c, found, err := campaigns.lockReadable(e, c.OrgID, c.ID)
	if err != nil || !found {
		return err
	}
	computed := false
	if c.Tally, computed, err = findTally(e, c.OrgID, c.ID); err != nil || c.Tally.People != nil && !computed {
		return err
	}
	all, err := calls.list(e, "WHERE org = $1 AND campaign = $2", c.OrgID, c.ID)
	if err != nil {
		return err
	}
	for _, r := range record.MarkSuperseded(all) {
		calls.put(e, r, c.OrgID, r.Call.ID)
	}
	if !computed {
		c.Tally.Counts, c.Tally.People = record.CountStatuses(all), record.CountPeople(all)
	}
	campaignTallies.put(e, c.Tally, c.OrgID, c.ID)
	groups := map[string][]string{}
	for _, r := range all {
		group := string(r.PersonGroup())
		groups[group] = append(groups[group], r.Call.ID)
	}
	for group, ids := range groups {
		e.queueWrite("UPDATE calls SET person = $1 WHERE org = $2 AND id = ANY($3) AND person <> $1", group, c.OrgID, ids)
	}
	return nil
}

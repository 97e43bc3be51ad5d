package badger

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/record"
)

// ChangeCampaign implements [store.CampaignStore].
func (s *BadgerStore) ChangeCampaign(
	ctx context.Context, orgID, id string, action store.CampaignAction, actor string, now time.Time,
) (campaign.Campaign, error) {
	err := s.updateTx(ctx, func(e writeTx) error { return e.changeCampaign(orgID, id, action, actor, now) })
	if err == nil && (action == store.CancelCampaign || action == store.CloseCampaign) {
		err = s.cancelCampaignCalls(ctx, orgID, id, actor, now)
	}
	if err != nil {
		return campaign.Campaign{}, err
	}
	return s.FindCampaign(ctx, orgID, id)
}

// changeCampaign applies an action to a campaign's state, by the table of package campaign.
func (e writeTx) changeCampaign(orgID, id string, action store.CampaignAction, actor string, now time.Time) error {
	c, err := findCampaign(e, orgID, id)
	if err != nil {
		return err
	}
	if changed, err := record.ChangeCampaign(&c, action); err != nil || !changed {
		return err
	}
	e.markUrgent()
	e.touchKind(store.CallsChanged)
	if c.Status == campaign.Cancelled && c.Loading && c.Receipt != "" { // a repeated request creates it again
		e.deleteKey(joinKey(kindReceipt, orgID, c.Receipt))
	}
	c.Loading = c.Loading && c.Status != campaign.Cancelled
	entry := store.AuditEntry{At: now, Actor: actor, Action: "campaign." + string(action), Subject: id}
	if err := e.addAudit(orgID, entry); err != nil {
		return err
	}
	return e.saveCampaign(c)
}

// cancelCampaignCalls cancels the scheduled calls of a campaign in batches, one transaction each.
func (s *BadgerStore) cancelCampaignCalls(ctx context.Context, orgID, id, actor string, now time.Time) error {
	queue := joinPrefix(kindCampaignDue, orgID, id)
	return sweepBatches(ctx, s, func(v snapshotView, most int) (places []string, _ error) {
		v.visitKeys(queue, func(place string) bool {
			places = append(places, place)
			return len(places) < most
		})
		return places, nil
	}, func(e writeTx, places []string) error {
		for _, place := range places {
			before, err := findCall(e, orgID, lastPart(place))
			if err != nil || before.Call.Status != call.Scheduled {
				if err = ignoreMissing(err); err != nil {
					return err
				}
				e.deleteKey(append(slices.Clip(queue), place...)) // of an unreadable call: nobody dials it any more
				continue
			}
			after := before
			if err := e.cancelCall(&after, actor, now); err != nil {
				return err
			}
			if err := e.saveCall(&before, after); err != nil {
				return err
			}
		}
		return nil
	}, func(int) {})
}

// resumeCampaignSweeps completes work that a crash interrupted: a creation, and the cancelling of a campaign's calls.
func (s *BadgerStore) resumeCampaignSweeps(ctx context.Context, now time.Time) error {
	var left []campaign.Campaign
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		return eachRecord(v, joinPrefix(kindCampaign), "", func(_ string, c campaign.Campaign) (bool, error) {
			if c.Loading || c.Status == campaign.Cancelled {
				left = append(left, c)
			}
			return true, nil
		})
	})
	for _, c := range left {
		if err == nil {
			_, err = s.ChangeCampaign(ctx, c.OrgID, c.ID, store.CancelCampaign, record.ByScheduler, now)
			err = ignoreMissing(err)
		}
	}
	return err
}

// RetryCampaign implements [store.CampaignStore].
func (s *BadgerStore) RetryCampaign(
	ctx context.Context, orgID, id string, again map[string]call.Call, actor string, now time.Time,
) (campaign.Campaign, error) {
	err := s.updateTx(ctx, func(e writeTx) error {
		c, err := findCampaign(e, orgID, id)
		if err == nil {
			err = record.CheckRetry(c, now)
		}
		if err != nil {
			return err
		}
		note := fmt.Sprintf("%d calls", len(again))
		return e.addAudit(orgID, store.AuditEntry{At: now, Actor: actor, Action: "campaign.retry", Subject: id, Note: note})
	})
	if err != nil {
		return campaign.Campaign{}, err
	}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(again)), campaignBatch/2) {
		err := s.updateTx(ctx, func(e writeTx) error {
			for _, previous := range some {
				if err := e.bookAgain(previous, again[previous], actor); err != nil {
					return err
				}
			}
			return e.reopenCampaign(orgID, id)
		})
		if err != nil {
			return campaign.Campaign{}, err
		}
	}
	return s.FindCampaign(ctx, orgID, id)
}

// bookAgain books a call after a previous one, unless its person was reached, has another call booked, or was erased.
func (e writeTx) bookAgain(previous string, next call.Call, actor string) error {
	before, err := findCall(e, next.OrgID, previous)
	if err != nil || !record.CallRecord(before).MayBookAgain() {
		return err
	}
	after := before
	after.Followed = true
	if err := e.saveCall(&before, after); err != nil {
		return err
	}
	r, err := e.bookCall(next, actor)
	if err != nil {
		return err
	}
	return e.saveCall(nil, r)
}

// reopenCampaign sets a finished campaign with scheduled calls to running.
func (e writeTx) reopenCampaign(orgID, id string) error {
	c, err := findCampaign(e, orgID, id)
	if err != nil || c.Status != campaign.Finished || !c.Tally.HasLiveCalls() {
		return err
	}
	c.Status = campaign.Running
	e.touchKind(store.CallsChanged)
	return e.saveCampaign(c)
}

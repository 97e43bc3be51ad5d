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

// campaignBatch is how many calls of a campaign one transaction books at most.
const campaignBatch = 128

// CreateCampaign implements [store.CampaignStore].
func (s *BadgerStore) CreateCampaign(
	ctx context.Context, c campaign.Campaign, calls []call.Call, actor string, once *store.IdempotencyReceipt,
) (campaign.Campaign, error) {
	c.Loading = true
	err := s.updateTx(ctx, func(e writeTx) error { return e.addCampaign(c, len(calls), actor, once) })
	if err != nil {
		return c, err
	}
	if err = s.bookCampaignCalls(ctx, calls, actor); err == nil {
		err = s.updateTx(ctx, func(e writeTx) error {
			loaded, err := findCampaign(e, c.OrgID, c.ID)
			if err != nil || !loaded.Loading {
				return err
			}
			loaded.Loading = false
			e.touchKind(store.CallsChanged)
			return e.saveCampaign(loaded)
		})
	}
	if err != nil {
		always := context.WithoutCancel(ctx)
		_, _ = s.ChangeCampaign(always, c.OrgID, c.ID, store.CancelCampaign, record.ByScheduler, c.CreatedAt)
		return c, err // the first error is reported; the next start cancels the rest
	}
	return s.FindCampaign(ctx, c.OrgID, c.ID)
}

// addCampaign writes a new campaign without calls, and the receipt of its idempotency key.
func (e writeTx) addCampaign(c campaign.Campaign, calls int, actor string, once *store.IdempotencyReceipt) error {
	if !campaign.ValidID(c.ID) || c.Name == "" || c.CreatedAt.IsZero() || calls == 0 {
		return store.Errorf(store.CodeInvalid, "a campaign has an id, a name, a time and calls")
	}
	if err := e.needOrganization(c.OrgID); err != nil {
		return err
	}
	if taken, err := e.hasKey(joinKey(kindCampaign, c.OrgID, c.ID)); err != nil || taken {
		return orConflict(err, c.ID)
	}
	if once != nil {
		first, err := e.firstReceipt(c.OrgID, *once)
		if err != nil || first != nil {
			return asUsedKey(err)
		}
		receipt := *once
		receipt.CallID = c.ID
		c.Receipt = e.keepReceipt(c.OrgID, receipt)
	}
	e.putIndex(joinKey(kindCampaignMade, c.OrgID, encodeTime(c.CreatedAt), c.ID))
	e.putRecord(joinKey(kindCampaignSkipped, c.OrgID, c.ID), c.Skipped)
	e.putRecord(joinKey(kindCampaignTally, c.OrgID, c.ID), campaign.CampaignTally{People: campaign.NewPeopleTally()})
	note := fmt.Sprintf("%d calls, %d rows skipped", calls, len(c.Skipped))
	audit := store.AuditEntry{At: c.CreatedAt, Actor: actor, Action: "campaign.create", Subject: c.ID, Note: note}
	if err := e.addAudit(c.OrgID, audit); err != nil {
		return err
	}
	return e.saveCampaign(c)
}

// orConflict is the error, or that the id is in use.
func orConflict(err error, id string) error {
	if err != nil {
		return err
	}
	return store.Errorf(store.CodeConflict, "there is already a campaign %q", id)
}

// asUsedKey is the error, or that the idempotency key is in use.
func asUsedKey(err error) error {
	if err != nil {
		return err
	}
	return store.Errorf(store.CodeConflict, "the idempotency key was used already")
}

// bookCampaignCalls books calls, some in each transaction.
func (s *BadgerStore) bookCampaignCalls(ctx context.Context, calls []call.Call, actor string) error {
	for most := campaignBatch; len(calls) > 0; {
		some := calls[:min(most, len(calls))]
		err := s.updateTx(ctx, func(e writeTx) error {
			for _, c := range some {
				if owner, err := findCampaign(e, c.OrgID, c.CampaignID); err != nil || !owner.Loading {
					return orCancelled(err)
				}
				r, err := e.bookCall(c, actor)
				if err == nil {
					err = e.saveCall(nil, r)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		switch {
		case err == nil:
			calls = calls[len(some):]
		case store.CodeOf(err) == store.CodeTooLarge && most > 1:
			most = max(1, most/4)
		default:
			return err
		}
	}
	return nil
}

// orCancelled is the error, or that the campaign was cancelled meanwhile.
func orCancelled(err error) error {
	if err != nil {
		return err
	}
	return store.Errorf(store.CodeConflict, "the campaign was cancelled while its calls were booked")
}

// findCampaign is an organization's campaign with its counts.
func findCampaign(e writeTx, orgID, id string) (campaign.Campaign, error) {
	var c campaign.Campaign
	if !isKeyPart(orgID) || !isKeyPart(id) {
		return c, noCampaign(id)
	}
	found, err := e.getRecord(joinKey(kindCampaign, orgID, id), &c)
	if err == nil && !found {
		return c, noCampaign(id)
	}
	if err == nil {
		_, err = e.getRecord(joinKey(kindCampaignTally, orgID, id), &c.Tally)
	}
	return c, err
}

// noCampaign says that there is none.
func noCampaign(id string) error {
	return store.Errorf(store.CodeNotFound, "there is no campaign %q", id)
}

// saveCampaign writes a campaign; one without calls that wait or run is finished.
func (e writeTx) saveCampaign(c campaign.Campaign) error {
	if !c.Loading && c.Status != campaign.Cancelled && !c.Tally.HasLiveCalls() {
		c.Status = campaign.Finished
	}
	e.putRecord(joinKey(kindCampaign, c.OrgID, c.ID), c)
	return nil
}

// tallyCall keeps the counts of a call's campaign: calls and answers as they end, and people. It finishes the campaign
// with its last call.
func (e writeTx) tallyCall(before *callRecord, after callRecord) error {
	c := after.Call
	moved := before == nil || before.Call.Status != c.Status
	movesPerson := record.MovesPerson((*record.CallRecord)(before), record.CallRecord(after))
	if c.CampaignID == "" || !moved && !movesPerson {
		return nil
	}
	var tally campaign.CampaignTally
	place := joinKey(kindCampaignTally, c.OrgID, c.CampaignID)
	if _, err := e.getRecord(place, &tally); err != nil && !isUnreadable(err) { // lost counts begin again
		return err
	}
	record.MovePerson(&tally, (*record.CallRecord)(before), record.CallRecord(after))
	if moved {
		record.MoveCall(&tally, (*record.CallRecord)(before), c)
	}
	e.putRecord(place, tally)
	if !moved || tally.HasLiveCalls() {
		return nil
	}
	owner, err := findCampaign(e, c.OrgID, c.CampaignID)
	if err != nil {
		return ignoreMissing(err)
	}
	return e.saveCampaign(owner)
}

// ignoreMissing forgives that there is no such record, or that it cannot be read.
func ignoreMissing(err error) error {
	if store.CodeOf(err) == store.CodeNotFound || isUnreadable(err) {
		return nil
	}
	return err
}

// needOpenCampaign refuses a call whose campaign is not running.
func (e writeTx) needOpenCampaign(c call.Call) error {
	if c.CampaignID == "" {
		return nil
	}
	owner, err := findCampaign(e, c.OrgID, c.CampaignID)
	if store.CodeOf(err) == store.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	return record.CheckDialling(owner)
}

// FindCampaign implements [store.CampaignStore].
func (s *BadgerStore) FindCampaign(ctx context.Context, orgID, id string) (c campaign.Campaign, err error) {
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		if c, err = findCampaign(writeTx{v, &changeSet{}}, orgID, id); err != nil {
			return err
		}
		_, err = v.getRecord(joinKey(kindCampaignSkipped, orgID, id), &c.Skipped)
		return err
	})
	return c, err
}

// CampaignsPage implements [store.CampaignStore].
func (s *BadgerStore) CampaignsPage(
	ctx context.Context, orgID string, limit int, cursor string,
) (store.ListPage[campaign.Campaign], error) {
	page := store.ListPage[campaign.Campaign]{Items: []campaign.Campaign{}}
	if err := record.CheckLimit(limit); err != nil || !isKeyPart(orgID) {
		return page, err
	}
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		list := []string{"campaigns", orgID}
		page, err = newestPage(
			v,
			list,
			joinPrefix(kindCampaignMade, orgID),
			limit,
			cursor,
			func(place string) (campaign.Campaign, error) {
				return findCampaign(writeTx{v, &changeSet{}}, orgID, lastPart(place))
			},
		)
		return err
	})
	return page, err
}

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

// changeCampaign moves a campaign along the table.
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
	if c.Status == campaign.Cancelled && c.Loading && c.Receipt != "" { // a repeat creates it again
		e.deleteKey(joinKey(kindReceipt, orgID, c.Receipt))
	}
	c.Loading = c.Loading && c.Status != campaign.Cancelled
	entry := store.AuditEntry{At: now, Actor: actor, Action: "campaign." + string(action), Subject: id}
	if err := e.addAudit(orgID, entry); err != nil {
		return err
	}
	return e.saveCampaign(c)
}

// cancelCampaignCalls cancels the scheduled calls of a campaign, some in each transaction.
func (s *BadgerStore) cancelCampaignCalls(ctx context.Context, orgID, id, actor string, now time.Time) error {
	queue := joinPrefix(kindCampaignDue, orgID, id)
	return sweepBatches(ctx, s, func(v snapshotView, most int) (ids []string, _ error) {
		v.visitKeys(queue, func(place string) bool {
			ids = append(ids, lastPart(place))
			return len(ids) < most
		})
		return ids, nil
	}, func(e writeTx, ids []string) error {
		for _, one := range ids {
			before, err := findCall(e, orgID, one)
			if err != nil || before.Call.Status != call.Scheduled {
				if err = ignoreMissing(err); err != nil {
					return err
				}
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
		_, err := eachRecord(v, joinPrefix(kindCampaign), "", func(_ string, c campaign.Campaign) (bool, error) {
			if c.Loading || c.Status == campaign.Cancelled {
				left = append(left, c)
			}
			return true, nil
		})
		return err
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

// bookAgain books the call that follows another, unless their person was reached, is called already, or was erased.
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

// reopenCampaign lets a finished campaign run again.
func (e writeTx) reopenCampaign(orgID, id string) error {
	c, err := findCampaign(e, orgID, id)
	if err != nil || c.Status != campaign.Finished || !c.Tally.HasLiveCalls() {
		return err
	}
	c.Status = campaign.Running
	e.touchKind(store.CallsChanged)
	return e.saveCampaign(c)
}

// DueCampaignCalls implements [store.CampaignStore].
func (s *BadgerStore) DueCampaignCalls(
	ctx context.Context, room func(c campaign.Campaign) int, now time.Time, limit int,
) (found []call.Call, next time.Time, err error) {
	return s.walkDue(ctx, kindCampaignDue, now, limit, func(v snapshotView, part string) (string, int, time.Time, error) {
		ids := splitKey(part, 4)
		c, err := findCampaign(writeTx{v, &changeSet{}}, ids[1], ids[2])
		switch {
		case err != nil || !c.IsOpen():
			return "", 0, time.Time{}, ignoreMissing(err)
		case c.StartsAt != nil && c.StartsAt.After(now):
			return "", 0, *c.StartsAt, nil
		}
		return c.OrgID, room(c), time.Time{}, nil
	})
}

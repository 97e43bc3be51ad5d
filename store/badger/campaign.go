package badger

import (
	"context"
	"fmt"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/record"
)

// campaignBatch is the maximum number of a campaign's calls that one transaction books.
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
		return store.Errorf(store.CodeInvalid, "a campaign needs an id, a name, a time and calls")
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

// orConflict returns err; if it is nil, the conflict that the id is in use.
func orConflict(err error, id string) error {
	if err != nil {
		return err
	}
	return store.Errorf(store.CodeConflict, "there is already a campaign %q", id)
}

// asUsedKey returns err; if it is nil, the conflict that the idempotency key is in use.
func asUsedKey(err error) error {
	if err != nil {
		return err
	}
	return store.Errorf(store.CodeConflict, "the idempotency key was used already")
}

// bookCampaignCalls books calls in batches, one transaction each; a batch that is too large is divided.
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

// orCancelled returns err; if it is nil, the conflict that the campaign was cancelled meanwhile.
func orCancelled(err error) error {
	if err != nil {
		return err
	}
	return store.Errorf(store.CodeConflict, "the campaign was cancelled while its calls were booked")
}

// findCampaign returns an organization's campaign with its counts.
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
		c.Tally, err = findTally(e, orgID, id)
	}
	return c, err
}

// findTally returns the counters of a campaign. Damaged ones are computed from its calls, as of before the command.
func findTally(e writeTx, orgID, id string) (tally campaign.CampaignTally, err error) {
	if _, err = e.getRecord(joinKey(kindCampaignTally, orgID, id), &tally); !store.IsUnreadable(err) {
		return tally, err
	}
	calls, err := campaignRecords(e.view, orgID, id)
	return record.TallyCampaign(calls), err
}

// noCampaign returns the not-found error.
func noCampaign(id string) error {
	return store.Errorf(store.CodeNotFound, "there is no campaign %q", id)
}

// saveCampaign writes a campaign; its status becomes finished if none of its calls is scheduled or running.
func (e writeTx) saveCampaign(c campaign.Campaign) error {
	if !c.Loading && c.Status != campaign.Cancelled && !c.Tally.HasLiveCalls() {
		c.Status = campaign.Finished
	}
	e.putRecord(joinKey(kindCampaign, c.OrgID, c.ID), c)
	return nil
}

// tallyCall updates the counters of a call's campaign: calls, answers of ended calls, and people. The end of its last
// call finishes the campaign.
func (e writeTx) tallyCall(before *callRecord, after callRecord) error {
	c := after.Call
	moved := before == nil || before.Call.Status != c.Status
	movesPerson := record.MovesPerson((*record.CallRecord)(before), record.CallRecord(after))
	if c.CampaignID == "" || !moved && !movesPerson {
		return nil
	}
	tally, err := findTally(e, c.OrgID, c.CampaignID)
	if err != nil {
		return err
	}
	record.MovePerson(&tally, (*record.CallRecord)(before), record.CallRecord(after))
	if moved {
		record.MoveCall(&tally, (*record.CallRecord)(before), c)
	}
	e.putRecord(joinKey(kindCampaignTally, c.OrgID, c.CampaignID), tally)
	if !moved || tally.HasLiveCalls() {
		return nil
	}
	owner, err := findCampaign(e, c.OrgID, c.CampaignID)
	if err != nil {
		return ignoreMissing(err)
	}
	return e.saveCampaign(owner)
}

// ignoreMissing returns nil for the error of a missing or unreadable record, and other errors unchanged.
func ignoreMissing(err error) error {
	if store.CodeOf(err) == store.CodeNotFound || store.IsUnreadable(err) {
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

package records

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/driver"
	"munadi/store/record"
)

var (
	campaignsByCreation = &driver.Index{Kind: "campaign-made", Parts: []string{"org", "made", "id"}}

	// campaigns are without their counters and skipped rows.
	campaigns = declareKind(driver.Table{
		Kind: "campaign", Name: "campaigns", Key: []string{"org", "id"}, Columns: []string{"status", "loading", "made"},
		Numbers: []string{"made"}, Indexes: []*driver.Index{campaignsByCreation}, Owned: true,
	}, func(c campaign.Campaign) []any {
		return []any{string(c.Status), c.Loading, record.UnixNanos(c.CreatedAt)}
	}, func(key []string) error {
		return store.Errorf(store.CodeNotFound, "there is no campaign %q", key[1])
	})

	campaignTallies = declareKind[campaign.CampaignTally](driver.Table{
		Kind: "campaign-tally", Name: "campaign_tallies", Key: []string{"org", "campaign"},
	}, nil, nil)
	campaignSkipped = declareKind[[]campaign.SkippedRow](driver.Table{
		Kind: "campaign-skipped", Name: "campaign_skipped", Key: []string{"org", "campaign"},
	}, nil, nil)
)

// campaignBatch is the maximum number of a campaign's calls that one transaction books.
const campaignBatch = 128

// CreateCampaign implements [store.CampaignStore].
func (s *Records) CreateCampaign(
	ctx context.Context, c campaign.Campaign, all []call.Call, actor string, once *store.IdempotencyReceipt,
) (campaign.Campaign, error) {
	c.Loading = true
	err := s.change(ctx, func(tx driver.Tx) (audited, error) {
		note := fmt.Sprintf("%d calls, %d rows skipped", len(all), len(c.Skipped))
		entry := store.AuditEntry{At: c.CreatedAt, Actor: actor, Action: "campaign.create", Subject: c.ID, Note: note}
		return audited{c.OrgID, entry}, addCampaign(tx, c, len(all), once)
	})
	if err != nil {
		return c, err
	}
	if err = s.bookCampaignCalls(ctx, c, all, actor); err == nil {
		err = s.db.Update(ctx, func(tx driver.Tx) error {
			loaded, err := lockCampaign(tx, c.OrgID, c.ID)
			if err != nil || !loaded.Loading {
				return err
			}
			loaded.Loading = false
			tx.Announce(store.CallsChanged)
			return saveCampaign(tx, loaded, c.CreatedAt)
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
func addCampaign(tx driver.Tx, c campaign.Campaign, calls int, once *store.IdempotencyReceipt) error {
	if !campaign.ValidID(c.ID) || c.Name == "" || c.CreatedAt.IsZero() || calls == 0 {
		return store.Errorf(store.CodeInvalid, "a campaign needs an id, a name, a time and calls")
	}
	if err := needOrganization(tx, c.OrgID); err != nil {
		return err
	}
	if once != nil {
		first, err := claimReceipt(tx, c.OrgID, *once)
		if err == nil && first != nil {
			err = store.Errorf(store.CodeConflict, "the idempotency key was used already")
		}
		if err != nil {
			return err
		}
		receipt := *once
		receipt.CallID, c.Receipt = c.ID, record.ReceiptName(once.Key)
		if err := receipts.put(tx, receipt, c.OrgID, c.Receipt); err != nil {
			return err
		}
	}
	if err := campaigns.add(tx, c, "there is already a campaign \""+c.ID+"\"", c.OrgID, c.ID); err != nil {
		return err
	}
	if err := campaignSkipped.put(tx, c.Skipped, c.OrgID, c.ID); err != nil {
		return err
	}
	return campaignTallies.put(tx, campaign.CampaignTally{People: campaign.NewPeopleTally()}, c.OrgID, c.ID)
}

// bookCampaignCalls books calls in batches, one transaction each; a batch that is too large is divided.
func (s *Records) bookCampaignCalls(ctx context.Context, c campaign.Campaign, all []call.Call, actor string) error {
	for most := campaignBatch; len(all) > 0; {
		some := all[:min(most, len(all))]
		err := s.db.Update(ctx, func(tx driver.Tx) error {
			owner, err := campaigns.lock(tx, c.OrgID, c.ID)
			if err == nil && !owner.Loading {
				err = store.Errorf(store.CodeConflict, "the campaign was cancelled while its calls were booked")
			}
			for _, one := range some {
				if err == nil {
					err = bookCall(tx, record.CallRecord{Call: one}, actor)
				}
			}
			return err
		})
		switch {
		case err == nil:
			all = all[len(some):]
		case store.CodeOf(err) == store.CodeTooLarge && most > 1:
			most = max(1, most/4)
		default:
			return err
		}
	}
	return nil
}

// lockCampaign locks an organization's campaign and returns it with its counts.
func lockCampaign(tx driver.Tx, orgID, id string) (campaign.Campaign, error) {
	c, err := campaigns.lock(tx, orgID, id)
	if err == nil {
		c.Tally, err = tallyOf(tx, orgID, id)
	}
	return c, err
}

// saveCampaign writes a campaign that changed at a time; its status becomes finished, with its event, if none of its
// calls is scheduled or running.
func saveCampaign(tx driver.Tx, c campaign.Campaign, at time.Time) error {
	if !c.Loading && c.IsUnfinished() && !c.Tally.HasLiveCalls() {
		c.Status = campaign.Finished
		if err := raiseCampaignEvent(tx, c, at); err != nil {
			return err
		}
	}
	return campaigns.put(tx, c, c.OrgID, c.ID)
}

// FindCampaign implements [store.CampaignStore].
func (s *Records) FindCampaign(ctx context.Context, orgID, id string) (c campaign.Campaign, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) (err error) {
		if c, err = campaigns.need(tx, orgID, id); err != nil {
			return err
		}
		if c.Tally, err = tallyOf(tx, orgID, id); err != nil {
			return err
		}
		if c.Skipped, _, err = campaignSkipped.find(tx, orgID, id); store.IsUnreadable(err) {
			c.SkippedLost, err = true, nil
		}
		return err
	})
	return c, err
}

// CampaignsPage implements [store.CampaignStore].
func (s *Records) CampaignsPage(
	ctx context.Context, orgID string, limit int, cursor string,
) (page store.ListPage[campaign.Campaign], err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) (err error) {
		q := driver.Query{Index: campaignsByCreation, Equal: []any{orgID}, Latest: true}
		page, err = campaigns.page(tx, q, []string{"campaigns", orgID}, limit, cursor)
		for i, c := range page.Items {
			if err == nil {
				page.Items[i].Tally, err = tallyOf(tx, c.OrgID, c.ID)
			}
		}
		return err
	})
	return page, err
}

// WaitingCalls implements [store.CampaignStore]: of the calls only the queues are read.
func (s *Records) WaitingCalls(
	ctx context.Context, orgID string, before time.Time,
) (found store.WaitingCalls, err error) {
	if !record.IsKeyPart(orgID) {
		return found, nil
	}
	queue := func(index *driver.Index) driver.Query {
		return driver.Query{Table: calls.Table, Index: index, Equal: []any{orgID}, Where: []driver.Condition{
			{Column: "due", Op: driver.Below, Value: record.UnixNanos(before)},
		}}
	}
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		single, err := tx.Tally(queue(callsDue), "org")
		if err != nil {
			return err
		}
		waiting, err := tx.Tally(queue(campaignCallsDue), "campaign")
		if err != nil {
			return err
		}
		found = store.WaitingCalls{Single: single[orgID]}
		found.Campaigns, err = loadWaiting(tx, orgID, waiting)
		return err
	})
	return found, err
}

// loadWaiting returns the campaigns of calls that wait, newest first.
func loadWaiting(tx driver.Tx, orgID string, waiting map[string]int) (found []store.WaitingCampaign, err error) {
	load := driver.Load{Table: campaigns.Table}
	for id := range waiting {
		load.Keys = append(load.Keys, []string{orgID, id})
	}
	if err := tx.Load(load); err != nil {
		return nil, err
	}
	for id, n := range waiting {
		c, exists, err := campaigns.find(tx, orgID, id)
		switch {
		case err == nil && exists:
			found = append(found, store.WaitingCampaign{Campaign: c, Waiting: n})
		case store.IgnoreMissing(err) != nil:
			return nil, err
		}
	}
	slices.SortFunc(found, func(a, b store.WaitingCampaign) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	return found, nil
}

// ChangeCampaign implements [store.CampaignStore].
func (s *Records) ChangeCampaign(
	ctx context.Context, orgID, id string, action store.CampaignAction, actor string, now time.Time,
) (campaign.Campaign, error) {
	err := s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		c, err := lockCampaign(tx, orgID, id)
		if err != nil {
			return done, err
		}
		if changed, err := record.ChangeCampaign(&c, action); err != nil || !changed {
			return done, err
		}
		tx.MarkUrgent()
		tx.Announce(store.CallsChanged)
		if c.Status == campaign.Cancelled && c.Loading && c.Receipt != "" { // a repeated request creates it again
			receipt, found, err := receipts.lockReadable(tx, orgID, c.Receipt)
			if err == nil && found {
				err = receipts.remove(tx, receipt, orgID, c.Receipt)
			}
			if err != nil {
				return done, err
			}
		}
		c.Loading = c.Loading && c.Status != campaign.Cancelled
		entry := store.AuditEntry{At: now, Actor: actor, Action: "campaign." + string(action), Subject: id}
		return audited{orgID, entry}, saveCampaign(tx, c, now)
	})
	if err == nil && (action == store.CancelCampaign || action == store.CloseCampaign) {
		err = s.cancelCampaignCalls(ctx, orgID, id, actor, now)
	}
	if err != nil {
		return campaign.Campaign{}, err
	}
	return s.FindCampaign(ctx, orgID, id)
}

// cancelCampaignCalls cancels the scheduled calls of a campaign in batches, one transaction each.
func (s *Records) cancelCampaignCalls(ctx context.Context, orgID, id, actor string, now time.Time) error {
	q := driver.Query{Index: campaignCallsDue, Equal: []any{orgID, id}}
	_, err := calls.sweep(ctx, s.db, q, func(tx driver.Tx, before record.CallRecord) (record.CallRecord, error) {
		after := before
		if err := cancelCall(tx, &after, actor, now); err != nil {
			return after, err
		}
		return record.CallRecord{}, saveCall(tx, &before, after)
	})
	return err
}

// resumeCampaignSweeps completes work that a crash of this appliance interrupted: a creation, and the cancelling of a
// campaign's calls.
func (s *Records) resumeCampaignSweeps(ctx context.Context, now time.Time) error {
	var left []campaign.Campaign
	err := s.db.Read(ctx, func(tx driver.Tx) error {
		left = nil
		own := driver.Query{Owner: driver.ThisOwner}
		return campaigns.visit(tx, own, func(_ driver.Row, c campaign.Campaign) (bool, error) {
			unfinished := c.Loading
			if !unfinished && c.Status == campaign.Cancelled {
				waiting := driver.Query{Table: calls.Table, Index: campaignCallsDue, Equal: []any{c.OrgID, c.ID}, Limit: 1}
				err := tx.Scan(waiting, func(driver.Row) (bool, error) {
					unfinished = true
					return false, nil
				})
				if err != nil {
					return false, err
				}
			}
			if unfinished {
				left = append(left, c)
			}
			return true, nil
		})
	})
	for _, c := range left {
		if err == nil {
			_, err = s.ChangeCampaign(ctx, c.OrgID, c.ID, store.CancelCampaign, record.ByScheduler, now)
			err = store.IgnoreMissing(err)
		}
	}
	return err
}

// RetryCampaign implements [store.CampaignStore].
func (s *Records) RetryCampaign(
	ctx context.Context, orgID, id string, again map[string]call.Call, actor string, now time.Time,
) (campaign.Campaign, error) {
	err := s.change(ctx, func(tx driver.Tx) (audited, error) {
		c, err := campaigns.lock(tx, orgID, id)
		if err == nil {
			err = record.CheckRetry(c, now)
		}
		note := fmt.Sprintf("%d calls", len(again))
		entry := store.AuditEntry{At: now, Actor: actor, Action: "campaign.retry", Subject: id, Note: note}
		return audited{orgID, entry}, err
	})
	for some := range slices.Chunk(slices.Sorted(maps.Keys(again)), campaignBatch/2) {
		if err != nil {
			break
		}
		err = s.db.Update(ctx, func(tx driver.Tx) error {
			for _, previous := range some {
				if err := bookAgain(tx, previous, again[previous], actor); err != nil {
					return err
				}
			}
			return reopenCampaign(tx, orgID, id)
		})
	}
	if err != nil {
		return campaign.Campaign{}, err
	}
	return s.FindCampaign(ctx, orgID, id)
}

// bookAgain books a call after a previous one, unless its person was reached, has another call booked, or was erased.
func bookAgain(tx driver.Tx, previous string, next call.Call, actor string) error {
	before, err := calls.lock(tx, next.OrgID, previous)
	if err != nil || !before.MayBookAgain() {
		return err
	}
	after := before
	after.Later = next.ID
	if err := saveCall(tx, &before, after); err != nil {
		return err
	}
	return bookCall(tx, record.CallRecord{Call: next, Earlier: previous}, actor)
}

// reopenCampaign sets a finished campaign with scheduled calls to running.
func reopenCampaign(tx driver.Tx, orgID, id string) error {
	c, err := lockCampaign(tx, orgID, id)
	if err != nil || c.Status != campaign.Finished || !c.Tally.HasLiveCalls() {
		return err
	}
	c.Status = campaign.Running
	tx.Announce(store.CallsChanged)
	return campaigns.put(tx, c, orgID, id)
}

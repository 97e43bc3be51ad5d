package postgres

import (
	"context"
	"fmt"
	"slices"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/record"
)

var (
	campaigns = tableOf[campaign.Campaign]{
		sqlTable: sqlTable{
			name: "campaigns", keys: []string{"org", "id"},
			others: []string{"status", "loading", "made"}, owned: true,
		},
		derive: func(c campaign.Campaign) []any { return []any{string(c.Status), c.Loading, unixNanos(c.CreatedAt)} },
	}
	campaignTallies = plainTable[campaign.CampaignTally]("campaign_tallies", "org", "campaign")
	campaignSkipped = plainTable[[]campaign.SkippedRow]("campaign_skipped", "org", "campaign")
)

// campaignBatch is the maximum number of a campaign's calls that one transaction books.
const campaignBatch = 200

// noCampaign returns the not-found error.
func noCampaign(id string) error {
	return store.Errorf(store.CodeNotFound, "there is no campaign %q", id)
}

// withTally reads a campaign's counts.
func withTally(e *dbTx, c campaign.Campaign) (_ campaign.Campaign, err error) {
	c.Tally, _, err = findTally(e, c.OrgID, c.ID)
	return c, err
}

// findTally reads the counters of a campaign; computed reports that they were damaged, and computed from its calls.
func findTally(e *dbTx, orgID, id string) (tally campaign.CampaignTally, computed bool, err error) {
	if tally, _, err = campaignTallies.find(e, orgID, id); !store.IsUnreadable(err) {
		return tally, false, err
	}
	all, err := calls.list(e, "WHERE org = $1 AND campaign = $2", orgID, id)
	return record.TallyCampaign(all), true, err
}

// lockCampaign locks an organization's campaign and returns it with its counts.
func lockCampaign(e *dbTx, orgID, id string) (campaign.Campaign, error) {
	c, err := lockIn(e, campaigns, noCampaign(id), orgID, id)
	if err != nil {
		return c, err
	}
	return withTally(e, c)
}

// saveCampaign writes a campaign; its status becomes finished if none of its calls is scheduled or running.
func saveCampaign(e *dbTx, c campaign.Campaign) {
	if !c.Loading && c.Status != campaign.Cancelled && !c.Tally.HasLiveCalls() {
		c.Status = campaign.Finished
	}
	campaigns.put(e, c, c.OrgID, c.ID)
}

// CreateCampaign implements [store.CampaignStore].
func (s *PostgresStore) CreateCampaign(
	ctx context.Context, c campaign.Campaign, all []call.Call, actor string, once *store.IdempotencyReceipt,
) (campaign.Campaign, error) {
	c.Loading = true
	if err := s.updateTx(ctx, func(e *dbTx) error { return addCampaign(e, c, len(all), actor, once) }); err != nil {
		return c, err
	}
	err := s.bookCampaignCalls(ctx, c, all, actor)
	if err == nil {
		err = s.updateTx(ctx, func(e *dbTx) error {
			loaded, err := lockCampaign(e, c.OrgID, c.ID)
			if err != nil || !loaded.Loading {
				return err
			}
			loaded.Loading = false
			e.touchKind(store.CallsChanged)
			saveCampaign(e, loaded)
			return nil
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
func addCampaign(
	e *dbTx, c campaign.Campaign, calls int, actor string, once *store.IdempotencyReceipt,
) error {
	if !campaign.ValidID(c.ID) || c.Name == "" || c.CreatedAt.IsZero() || calls == 0 {
		return store.Errorf(store.CodeInvalid, "a campaign needs an id, a name, a time and calls")
	}
	if err := needOrganization(e, c.OrgID); err != nil {
		return err
	}
	if once != nil {
		if err := keepCampaignReceipt(e, &c, *once); err != nil {
			return err
		}
	}
	added, err := campaigns.add(e, c, c.OrgID, c.ID)
	if err := needAdded(added, err, "there is already a campaign %q", c.ID); err != nil {
		return err
	}
	campaignSkipped.put(e, c.Skipped, c.OrgID, c.ID)
	campaignTallies.put(e, campaign.CampaignTally{People: campaign.NewPeopleTally()}, c.OrgID, c.ID)
	note := fmt.Sprintf("%d calls, %d rows skipped", calls, len(c.Skipped))
	addAudit(e, c.OrgID, store.AuditEntry{
		At: c.CreatedAt, Actor: actor, Action: "campaign.create", Subject: c.ID, Note: note,
	})
	return nil
}

// keepCampaignReceipt writes the receipt of a campaign's idempotency key, unless the key is in use.
func keepCampaignReceipt(e *dbTx, c *campaign.Campaign, receipt store.IdempotencyReceipt) error {
	if err := lockReceipt(e, c.OrgID, receipt); err != nil {
		return err
	}
	first, err := firstReceipt(e, c.OrgID, receipt)
	if err == nil && first != nil {
		err = store.Errorf(store.CodeConflict, "the idempotency key was used already")
	}
	if err != nil {
		return err
	}
	receipt.CallID, c.Receipt = c.ID, record.ReceiptName(receipt.Key)
	receipts.put(e, receipt, c.OrgID, c.Receipt, unixNanos(receipt.MadeAt))
	return nil
}

// bookCampaignCalls books calls in batches, one transaction each.
func (s *PostgresStore) bookCampaignCalls(
	ctx context.Context, c campaign.Campaign, all []call.Call, actor string,
) error {
	for some := range slices.Chunk(all, campaignBatch) {
		err := s.updateTx(ctx, func(e *dbTx) error {
			owner, err := lockIn(e, campaigns, noCampaign(c.ID), c.OrgID, c.ID)
			if err == nil && !owner.Loading {
				err = store.Errorf(store.CodeConflict, "the campaign was cancelled while its calls were booked")
			}
			for _, one := range some {
				if err == nil {
					err = bookCall(e, one, actor, "")
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tallyCall updates the counters of a call's campaign: calls, answers of ended calls, and people. The end of its last
// call finishes the campaign.
func tallyCall(e *dbTx, before *record.CallRecord, after record.CallRecord) error {
	c := after.Call
	moved := before == nil || before.Call.Status != c.Status
	if c.CampaignID == "" || !moved && !record.MovesPerson(before, after) {
		return nil
	}
	owner, readable, err := campaigns.lockReadable(e, c.OrgID, c.CampaignID)
	if err != nil {
		return err
	}
	computed := false // with the call, which is written already
	if owner.Tally, computed, err = findTally(e, c.OrgID, c.CampaignID); err != nil {
		return err
	}
	if !computed {
		record.MovePerson(&owner.Tally, before, after)
	}
	if !computed && moved {
		record.MoveCall(&owner.Tally, before, c)
	}
	campaignTallies.put(e, owner.Tally, c.OrgID, c.CampaignID)
	if readable && moved && !owner.Tally.HasLiveCalls() {
		saveCampaign(e, owner)
	}
	return nil
}

// needOpenCampaign refuses a call whose campaign is not running.
func needOpenCampaign(e *dbTx, c call.Call) error {
	if c.CampaignID == "" {
		return nil
	}
	owner, found, err := campaigns.lock(e, c.OrgID, c.CampaignID)
	if err != nil || !found {
		return err
	}
	return record.CheckDialling(owner)
}

// campaignAllows reports whether the campaign of a planned retry, if it has one, still books retries at its dial time.
func campaignAllows(e *dbTx, next call.Call) (bool, error) {
	if next.CampaignID == "" {
		return true, nil
	}
	owner, found, err := campaigns.lockReadable(e, next.OrgID, next.CampaignID)
	return !found || owner.AllowsRetry(next.ScheduledAt), err
}

// FindCampaign implements [store.CampaignStore].
func (s *PostgresStore) FindCampaign(ctx context.Context, orgID, id string) (c campaign.Campaign, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		if c, err = findIn(e, campaigns, noCampaign(id), orgID, id); err == nil {
			c, err = withTally(e, c)
		}
		if err != nil {
			return err
		}
		if c.Skipped, _, err = campaignSkipped.find(e, orgID, id); store.IsUnreadable(err) {
			c.SkippedLost, err = true, nil
		}
		return err
	})
	return c, err
}

// CampaignsPage implements [store.CampaignStore].
func (s *PostgresStore) CampaignsPage(
	ctx context.Context, orgID string, limit int, cursor string,
) (store.ListPage[campaign.Campaign], error) {
	return newestPage(ctx, s, campaigns, []string{"campaigns", orgID}, limit, cursor, orgID,
		func(e *dbTx, c *campaign.Campaign) (err error) {
			*c, err = withTally(e, *c)
			return err
		})
}

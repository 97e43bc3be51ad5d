package postgres

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/record"
)

// ChangeCampaign implements [store.CampaignStore].
func (s *PostgresStore) ChangeCampaign(
	ctx context.Context, orgID, id string, action store.CampaignAction, actor string, now time.Time,
) (campaign.Campaign, error) {
	err := s.updateTx(ctx, func(e *dbTx) error { return changeCampaign(e, orgID, id, action, actor, now) })
	if err == nil && (action == store.CancelCampaign || action == store.CloseCampaign) {
		err = s.cancelCampaignCalls(ctx, orgID, id, actor, now)
	}
	if err != nil {
		return campaign.Campaign{}, err
	}
	return s.FindCampaign(ctx, orgID, id)
}

// changeCampaign applies an action to a campaign's state, by the table of package campaign.
func changeCampaign(e *dbTx, orgID, id string, action store.CampaignAction, actor string, now time.Time) error {
	c, err := lockCampaign(e, orgID, id)
	if err != nil {
		return err
	}
	if changed, err := record.ChangeCampaign(&c, action); err != nil || !changed {
		return err
	}
	if c.Status == campaign.Cancelled && c.Loading && c.Receipt != "" { // a repeated request creates it again
		e.queueWrite("DELETE FROM receipts WHERE org = $1 AND name = $2", orgID, c.Receipt)
	}
	e.touchKind(store.CallsChanged)
	c.Loading = c.Loading && c.Status != campaign.Cancelled
	saveCampaign(e, c)
	addAudit(e, orgID, store.AuditEntry{At: now, Actor: actor, Action: "campaign." + string(action), Subject: id})
	return nil
}

// cancelCampaignCalls cancels the scheduled calls of a campaign in batches, one transaction each.
func (s *PostgresStore) cancelCampaignCalls(ctx context.Context, orgID, id, actor string, now time.Time) error {
	_, err := sweepBatches(ctx, s, func(e *dbTx) ([]record.CallRecord, error) {
		waiting, err := calls.listFirst(e, sweepBatch, "WHERE org = $1 AND campaign = $2 AND status = 'scheduled' "+
			"ORDER BY due, made, id FOR UPDATE", orgID, id)
		for _, before := range waiting {
			after := before
			if err == nil {
				err = cancelCall(e, &after, actor, now)
			}
			if err == nil {
				err = saveCall(e, before, after)
			}
		}
		return waiting, err
	})
	return err
}

// resumeCampaignSweeps completes work that a crash of this appliance interrupted: a creation, and the cancelling of a
// campaign's calls.
func (s *PostgresStore) resumeCampaignSweeps(ctx context.Context, now time.Time) error {
	var left []campaign.Campaign
	err := s.readRows(ctx, func(e *dbTx) (err error) {
		left, err = campaigns.list(e, "p WHERE p.owner = $1 AND (p.loading OR p.status = 'cancelled' AND EXISTS ("+
			"SELECT 1 FROM calls c WHERE c.org = p.org AND c.campaign = p.id AND c.status = $2))",
			e.appliance, string(call.Scheduled))
		return err
	})
	for _, c := range left {
		if err == nil {
			_, err = s.ChangeCampaign(ctx, c.OrgID, c.ID, store.CancelCampaign, record.ByScheduler, now)
		}
	}
	return err
}

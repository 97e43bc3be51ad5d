package postgres

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

// RetryCampaign implements [store.CampaignStore].
func (s *PostgresStore) RetryCampaign(
	ctx context.Context, orgID, id string, again map[string]call.Call, actor string, now time.Time,
) (campaign.Campaign, error) {
	err := s.updateTx(ctx, func(e *dbTx) error {
		c, err := lockCampaign(e, orgID, id)
		if err == nil {
			err = record.CheckRetry(c, now)
		}
		if err == nil {
			note := fmt.Sprintf("%d calls", len(again))
			addAudit(e, orgID, store.AuditEntry{At: now, Actor: actor, Action: "campaign.retry", Subject: id, Note: note})
		}
		return err
	})
	for some := range slices.Chunk(slices.Sorted(maps.Keys(again)), campaignBatch/2) {
		if err != nil {
			break
		}
		err = s.updateTx(ctx, func(e *dbTx) error {
			for _, previous := range some {
				if err := bookAgain(e, previous, again[previous], actor); err != nil {
					return err
				}
			}
			return reopenCampaign(e, orgID, id)
		})
	}
	if err != nil {
		return campaign.Campaign{}, err
	}
	return s.FindCampaign(ctx, orgID, id)
}

// bookAgain books a call after a previous one, unless its person was reached, has another call booked, or was erased.
func bookAgain(e *dbTx, previous string, next call.Call, actor string) error {
	before, err := lockIn(e, calls, record.NoCall(previous), next.OrgID, previous)
	if err != nil || !before.MayBookAgain() {
		return err
	}
	after := before
	after.Followed = true
	if err := saveCall(e, before, after); err != nil {
		return err
	}
	return bookCall(e, next, actor, "")
}

// reopenCampaign sets a finished campaign with scheduled calls to running.
func reopenCampaign(e *dbTx, orgID, id string) error {
	c, err := lockCampaign(e, orgID, id)
	if err != nil || c.Status != campaign.Finished || !c.Tally.HasLiveCalls() {
		return err
	}
	c.Status = campaign.Running
	e.touchKind(store.CallsChanged)
	saveCampaign(e, c)
	return nil
}

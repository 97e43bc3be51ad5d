package service

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
)

// ChangeCampaign pauses, resumes or cancels a campaign.
func (u *UseCases) ChangeCampaign(
	ctx context.Context, who Caller, id string, action store.CampaignAction,
) (campaign.Campaign, error) {
	changed, err := u.Store.ChangeCampaign(ctx, who.OrgID, id, action, who.Actor, u.now())
	return changed, explainConflict(err, StateForbidden, "")
}

// RetryUnreached books calls, in the same campaign, to the people whom no call reached, except people who declined,
// suppressed numbers, and people with a waiting or running call.
func (u *UseCases) RetryUnreached(ctx context.Context, who Caller, id string) (campaign.Campaign, error) {
	c, err := u.Store.FindCampaign(ctx, who.OrgID, id)
	if err != nil {
		return c, err
	}
	k, err := u.newBookingRules(ctx, who.OrgID)
	if err != nil {
		return c, err
	}
	plan, _, err := u.FindScenario(ctx, who.OrgID, c.ScenarioID)
	if err != nil {
		return c, err
	}
	due, how := k.startTime(c.StartsAt, plan, &FieldViolations{})
	again := map[string]call.Call{}
	unreached := store.CallFilter{CampaignID: id, People: store.UnreachedPeople, Ascending: true}
	err = u.visitCalls(ctx, who.OrgID, unreached, func(one call.Call) error {
		if one.PhoneNumber == "" { // erased
			return nil
		}
		entry, err := u.Store.FindSuppression(ctx, who.OrgID, one.PhoneNumber, k.now)
		if err == nil && entry == nil {
			at := k.now.Add(time.Duration(len(again)))
			next := newCampaignCall(c, one.PhoneNumber, one.Variables, one.Metadata, due, at)
			next.Booking, next.NameVariable, next.ScenarioVersion = how, plan.NameVariable(one.Variables), plan.Version
			again[one.ID] = next
		}
		return err
	})
	if err != nil {
		return c, err
	}
	retried, err := u.Store.RetryCampaign(ctx, who.OrgID, id, again, who.Actor, k.now)
	return retried, explainConflict(err, StateForbidden, "")
}

// visitCalls calls visit with each call of a filter, in its order, without messages.
func (u *UseCases) visitCalls(
	ctx context.Context, orgID string, f store.CallFilter, visit func(call.Call) error,
) error {
	f.Limit, f.Cursor = pageSize, ""
	for {
		page, err := u.Store.CallsPage(ctx, orgID, f)
		if err != nil {
			return err
		}
		for _, one := range page.Items {
			if err := visit(one); err != nil {
				return err
			}
		}
		if f.Cursor = page.Next; f.Cursor == "" {
			return nil
		}
	}
}

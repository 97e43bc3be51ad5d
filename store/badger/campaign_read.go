package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/record"
)

// FindCampaign implements [store.CampaignStore].
func (s *BadgerStore) FindCampaign(ctx context.Context, orgID, id string) (c campaign.Campaign, err error) {
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		if c, err = findCampaign(writeTx{v, &changeSet{}}, orgID, id); err != nil {
			return err
		}
		_, err = v.getRecord(joinKey(kindCampaignSkipped, orgID, id), &c.Skipped)
		c.SkippedLost = store.IsUnreadable(err)
		return ignoreMissing(err)
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

package record

import (
	"time"

	"munadi/store"
	"munadi/store/campaign"
)

// ChangeCampaign applies an action to a campaign's status. changed is false if it has the target status already.
func ChangeCampaign(c *campaign.Campaign, action store.CampaignAction) (changed bool, err error) {
	target := map[store.CampaignAction]campaign.CampaignStatus{
		store.PauseCampaign: campaign.Paused, store.ResumeCampaign: campaign.Running,
		store.CancelCampaign: campaign.Cancelled, store.CloseCampaign: campaign.Paused,
	}[action]
	switch {
	case c.Status == target:
		return false, nil
	case c.Status == campaign.Finished || c.Status == campaign.Cancelled || target == "":
		return false, store.Errorf(store.CodeConflict,
			"The campaign is %s: only one that is running or paused can be paused, resumed or cancelled", c.Status)
	}
	c.Status = target
	return true, nil
}

// CheckDialling refuses a call whose campaign is not running.
func CheckDialling(owner campaign.Campaign) error {
	if owner.IsOpen() {
		return nil
	}
	return store.Errorf(store.CodeConflict, "the campaign of this call is not running: it is %s", owner.Status)
}

// CheckRetry refuses to book more calls for a campaign that is cancelled or past its end time.
func CheckRetry(c campaign.Campaign, now time.Time) error {
	if c.Status == campaign.Cancelled || c.HasEnded(now) {
		return store.Errorf(store.CodeConflict,
			"The campaign is cancelled or past its ends_at: it books no more calls; create another campaign")
	}
	return nil
}

// MayBookAgain reports whether a campaign's retry may book another call: the person was not reached, has no other call
// booked, and was not erased.
func (r CallRecord) MayBookAgain() bool {
	return r.PersonGroup() == store.UnreachedPeople && r.Call.ErasedAt == nil
}

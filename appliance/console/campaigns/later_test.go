package campaigns

import (
	"testing"
	"time"

	"munadi/appliance/console/kit"
	"munadi/store/campaign"
	"munadi/ui/locale"
)

// TestCampaignStartsLater checks the status of a campaign with a later start: it is not shown as running, unless it is
// paused or has ended.
func TestCampaignStartsLater(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	s := &handlers{Console: kit.NewConsole(kit.Shared{Now: func() time.Time { return now }})}
	before, ahead := now.Add(-time.Minute), now.Add(time.Hour)
	for _, c := range []struct {
		status campaign.CampaignStatus
		start  *time.Time
		later  bool
	}{
		{campaign.Running, &ahead, true},
		{campaign.Running, &before, false},
		{campaign.Running, nil, false},
		{campaign.Paused, &ahead, false},
		{campaign.Cancelled, &ahead, false},
	} {
		row := s.campaignRow(campaign.Campaign{Status: c.status, StartsAt: c.start, CreatedAt: now}, nil, locale.Arabic)
		if row.Later != c.later {
			t.Errorf("%s from %v: starts later: %v", c.status, c.start, row.Later)
		}
	}
}

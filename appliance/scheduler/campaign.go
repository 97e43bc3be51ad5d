package scheduler

import (
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/record"
)

// campaignRoom returns how many due calls of a campaign to read: none while its lines or its pace allow no call.
func (p *dispatchRound) campaignRoom(c campaign.Campaign) int {
	p.campaigns[c.ID] = c
	switch at := p.pace[c.ID]; {
	case c.HasEnded(p.now):
		p.over = append(p.over, c)
		return 0
	case c.Lines > 0 && p.view.inUse[c.ID] >= c.Lines:
		return 0
	case c.CallsPerMinute > 0 && at.After(p.now):
		p.wake = record.EarliestTime(p.wake, at)
		return 0
	}
	return p.organizationRoom(c.OrgID)
}

// campaignMayStart reports whether the lines and the pace of a call's campaign allow it now.
func (p *dispatchRound) campaignMayStart(one call.Call) bool {
	c, known := p.campaigns[one.CampaignID]
	if !known {
		return true
	}
	free := c.Lines == 0 || p.view.inUse[c.ID] < c.Lines
	return free && (c.CallsPerMinute == 0 || !p.pace[c.ID].After(p.now))
}

// noteCampaignStart counts a call that gets a line. Calls of a campaign with a pace start at equal distances.
func (p *dispatchRound) noteCampaignStart(one call.Call) {
	c, known := p.campaigns[one.CampaignID]
	if !known {
		return
	}
	p.view.inUse[c.ID]++
	if c.CallsPerMinute > 0 {
		p.pace[c.ID] = p.now.Add(time.Minute / time.Duration(c.CallsPerMinute))
	}
}

// closeCampaigns ends the campaigns whose end time has passed, and forgets paces that are an hour old.
func (p *dispatchRound) closeCampaigns() error {
	for id, at := range p.pace {
		if p.now.Sub(at) > time.Hour {
			delete(p.pace, id)
		}
	}
	for _, c := range p.over {
		_, err := p.Store.ChangeCampaign(p.ctx, c.OrgID, c.ID, store.CloseCampaign, actor, p.now)
		if store.IsUnreadable(err) {
			p.failed = append(p.failed, err)
			continue
		}
		if err := ignoreNotFound(err); err != nil {
			return err
		}
	}
	return nil
}

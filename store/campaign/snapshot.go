package campaign

// CampaignSnapshot is a campaign at a moment, with its counters and skipped rows, which are stored separately.
type CampaignSnapshot struct {
	Campaign    Campaign      `json:"campaign"`
	Tally       CampaignTally `json:"tally"`
	Skipped     []SkippedRow  `json:"skipped,omitempty"`
	SkippedLost bool          `json:"skipped_lost,omitempty"`
}

// TakeSnapshot returns the snapshot of a campaign.
func TakeSnapshot(c Campaign) CampaignSnapshot {
	return CampaignSnapshot{Campaign: c, Tally: c.Tally, Skipped: c.Skipped, SkippedLost: c.SkippedLost}
}

// Restore returns the campaign as it was.
func (s CampaignSnapshot) Restore() Campaign {
	c := s.Campaign
	c.Tally, c.Skipped, c.SkippedLost = s.Tally, s.Skipped, s.SkippedLost
	return c
}

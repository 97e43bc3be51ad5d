package apimodel

import (
	"munadi/store/call"
	"munadi/store/campaign"
)

// CampaignBody is a campaign as the API answers it.
type CampaignBody struct {
	ID             string                    `json:"id"`
	Name           string                    `json:"name"`
	ScenarioID     string                    `json:"scenario_id"`
	Status         campaign.CampaignStatus   `json:"status"`
	CreatedAt      Timestamp                 `json:"created_at"`
	StartsAt       *Timestamp                `json:"starts_at"`
	EndsAt         *Timestamp                `json:"ends_at"`
	CallsPerMinute *int                      `json:"calls_per_minute"` // null: no limit
	Lines          *int                      `json:"lines"`            // null: no limit
	Retry          CampaignRetry             `json:"retry"`
	CallerNumber   *string                   `json:"caller_number"` // null: the organization's, else the trunk's
	Counts         map[call.CallStatus]int   `json:"counts"`
	Answers        map[string]map[string]int `json:"answers"`
	People         CampaignPeople            `json:"people"`
	Skipped        []campaign.SkippedRow     `json:"skipped"`
	SkippedLost    bool                      `json:"skipped_unreadable"`
}

// CampaignPeople counts the people of a campaign, each once, by their deciding call ([campaign.PeopleTally]).
type CampaignPeople struct {
	Total     int                       `json:"total"`
	Unreached int                       `json:"unreached"`
	Counts    map[call.CallStatus]int   `json:"counts"`
	Answers   map[string]map[string]int `json:"answers"`
}

// peopleOf returns the body of a campaign's people; zero counts while they are not counted yet.
func peopleOf(t *campaign.PeopleTally) CampaignPeople {
	if t == nil {
		t = campaign.NewPeopleTally()
	}
	return CampaignPeople{t.Total(), t.Unreached, t.Counts, t.Answers}
}

// CampaignRetry is the retry plan of a campaign's calls.
type CampaignRetry struct {
	MaxAttempts  int   `json:"max_attempts"`
	DelayMinutes []int `json:"delay_minutes"`
}

// CampaignOf returns c's body.
func CampaignOf(c campaign.Campaign) CampaignBody {
	body := CampaignBody{
		ID: c.ID, Name: c.Name, ScenarioID: c.ScenarioID, Status: c.Status, CreatedAt: Timestamp(c.CreatedAt),
		StartsAt: timeOf(c.StartsAt), EndsAt: timeOf(c.EndsAt), CallsPerMinute: numberOrNull(c.CallsPerMinute),
		Lines: numberOrNull(c.Lines), Retry: CampaignRetry{c.Retry.MaxAttempts, c.Retry.DelayMinutes},
		CallerNumber: orNull(c.CallerNumber), Counts: c.Tally.Counts, Answers: c.Tally.Answers, Skipped: c.Skipped,
		SkippedLost: c.SkippedLost,
		People:      peopleOf(c.Tally.People),
	}
	if body.Retry.DelayMinutes == nil {
		body.Retry.DelayMinutes = []int{}
	}
	if body.Counts == nil {
		body.Counts = map[call.CallStatus]int{}
	}
	if body.Answers == nil {
		body.Answers = map[string]map[string]int{}
	}
	if body.Skipped == nil {
		body.Skipped = []campaign.SkippedRow{}
	}
	return body
}

// numberOrNull returns n for a body; nil, which becomes null, for 0.
func numberOrNull(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

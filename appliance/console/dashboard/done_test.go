package dashboard

import (
	"testing"
	"time"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/ui/locale"
)

// TestEstimateEnd checks that many calls that are due at one time take as long as the lines need from then on, and that
// calls spread over the day end soon after the last one is due.
func TestEstimateEnd(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 7, 10, 0, 0, time.UTC)
	at := func(hour, minute int) time.Time { return time.Date(2026, 11, 23, hour, minute, 0, 0, time.UTC) }
	waiting := func(at time.Time, n int) call.CallTally {
		return call.CallTally{At: at, Counts: map[call.CallStatus]int{call.Scheduled: n}}
	}
	for name, c := range map[string]struct {
		tallies []call.CallTally
		overdue int
		lastDue time.Time
		want    time.Time
	}{
		"due now":         {[]call.CallTally{waiting(at(7, 0), 480)}, 0, at(7, 5), at(8, 10)},
		"all at one time": {[]call.CallTally{waiting(at(10, 0), 480)}, 0, at(10, 3), at(11, 0)},
		"one after other": {[]call.CallTally{waiting(at(12, 0), 480), waiting(at(10, 0), 960)}, 0, at(12, 3), at(13, 0)},
		"piled up":        {[]call.CallTally{waiting(at(10, 0), 960), waiting(at(11, 0), 480)}, 0, at(11, 3), at(13, 0)},
		"one late":        {[]call.CallTally{waiting(at(20, 0), 1)}, 0, at(20, 14), at(20, 14)},
		"of yesterday":    {[]call.CallTally{waiting(at(7, 15), 480)}, 480, at(7, 20), at(9, 10)},
	} {
		ended := now.Add(time.Minute)
		d := dashboardData{
			now: now, tallies: c.tallies, lastDue: c.lastDue, vitals: kit.ApplianceVitals{Lines: 8},
			last: []call.Call{{ReleasedAt: &now, EndedAt: &ended}},
		}
		for _, t := range c.tallies {
			d.sum.MergeTally(t)
		}
		d.waiting.Single = d.sum.Counts[call.Scheduled] + c.overdue
		if got := d.estimateEnd(); !got.Equal(c.want) {
			t.Errorf("%s: done at %s, want %s", name, got.Format("15:04"), c.want.Format("15:04"))
		}
	}
}

// TestCompletionNote checks that calls of paused campaigns are not said to end, however many wait of earlier days, and
// that a campaign's own limits delay the end that is said.
func TestCompletionNote(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 7, 10, 0, 0, time.UTC)
	ended := now.Add(time.Minute)
	of := func(status campaign.CampaignStatus, n int) store.WaitingCampaign {
		return store.WaitingCampaign{Campaign: campaign.Campaign{Status: status}, Waiting: n}
	}
	paced, narrow, later := of(campaign.Running, 40), of(campaign.Running, 40), of(campaign.Running, 40)
	paced.CallsPerMinute, narrow.Lines = 2, 1
	later.CallsPerMinute, later.StartsAt = 4, new(now.Add(time.Hour))
	for name, c := range map[string]struct {
		campaigns []store.WaitingCampaign
		waiting   int // of the day
		overdue   int
		want      string
	}{
		"none":                {nil, 40, 0, "done at about \u206607:15\u2069"},
		"paused":              {[]store.WaitingCampaign{of(campaign.Paused, 40)}, 40, 0, "in paused campaigns"},
		"paused among others": {[]store.WaitingCampaign{of(campaign.Paused, 40), of(campaign.Running, 40)}, 80, 0, "done at about \u206607:15\u2069"},
		"many paused":         {[]store.WaitingCampaign{of(campaign.Paused, 200_000)}, 40, 199_960, "in paused campaigns"},
		"many paused among others": {
			[]store.WaitingCampaign{of(campaign.Paused, 10_050)}, 40, 199_960, "not done today",
		},
		"two a minute":    {[]store.WaitingCampaign{paced}, 40, 0, "done at about \u206607:30\u2069"},
		"on one line":     {[]store.WaitingCampaign{narrow}, 40, 0, "done at about \u206607:50\u2069"},
		"from an hour on": {[]store.WaitingCampaign{later}, 40, 0, "done at about \u206608:20\u2069"},
	} {
		d := dashboardData{
			begin: now.Truncate(24 * time.Hour), now: now, zone: time.UTC, lang: locale.English,
			overdue: min(c.overdue, maxOverdue), waiting: store.WaitingCalls{Campaigns: c.campaigns},
			tallies: []call.CallTally{{At: now.Add(-time.Hour), Counts: map[call.CallStatus]int{call.Scheduled: c.waiting}}},
			vitals:  kit.ApplianceVitals{Lines: 8}, last: []call.Call{{ReleasedAt: &now, EndedAt: &ended}},
		}
		d.sum = d.tallies[0]
		d.waiting.Single = c.waiting + c.overdue - d.waiting.CountAll()
		if got := d.completionNote(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

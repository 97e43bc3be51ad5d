package console_test

import (
	"testing"
	"time"

	"munadi/appliance/console"
	"munadi/appliance/console/kit"
	"munadi/appliance/monitor/vitals"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/store/call"
	"munadi/store/campaign"
)

// TestFirstSpeechCounts checks that with a single sample, too few for a line, the chart does not say that there was no
// speech.
func TestFirstSpeechCounts(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(d *console.Dependencies) {
		d.PublicURL = func() string { return "" }
		d.Vitals = func() kit.ApplianceVitals {
			return kit.ApplianceVitals{Load: []vitals.RecognizerSample{{At: d.Now(), Length: 10 * time.Second, Audio: 8, Work: 2}}}
		}
	})
	b.getPage(account.Viewer, "/system").wantStatus(200).wantTexts("4.0", "the speed of speech", "The line appears").wantNoTexts("No speech was recognized")
}

// TestBookedLongAgo checks that a call that is dialled today counts, whenever it was booked.
func TestBookedLongAgo(t *testing.T) {
	t.Parallel()
	d := &callBench{consoleBench: newBench(t, func(d *console.Dependencies) {
		d.Vitals = func() kit.ApplianceVitals { return kit.ApplianceVitals{} }
	})}
	old := d.bookCall("acme", anyNumber, func(c *call.Call) {
		c.CreatedAt, c.ScheduledAt = d.now.Add(-20*24*time.Hour), d.now
	})
	d.endCall(old, call.CallOutcome{Status: call.Completed})
	for range 250 { // more than a page, for next week
		d.bookCall("acme", anyNumber, func(c *call.Call) {
			c.CreatedAt, c.ScheduledAt = d.now.Add(-3*24*time.Hour), d.now.Add(7*24*time.Hour)
		})
	}
	d.getPage(account.Viewer, "").wantStatus(200).wantTexts("of one that ended")
}

// TestFailuresByOneRule checks that the dashboard warns of failing calls exactly while the alert is open, in its words.
func TestFailuresByOneRule(t *testing.T) {
	t.Parallel()
	d := &callBench{consoleBench: newBench(t, func(d *console.Dependencies) {
		d.Vitals = func() kit.ApplianceVitals { return kit.ApplianceVitals{} }
	})}
	for range 10 {
		refused := &call.CallFailure{Reason: call.NoCarrier}
		d.endCall(d.bookCall("acme", anyNumber, nil), call.CallOutcome{Status: call.Failed, Failure: refused})
	}
	const warning = "6 of the last 7 attempts failed; before, it was 5 %."
	d.getPage(account.Viewer, "").wantStatus(200).wantNoTexts("attempts failed", "Show the failed ones")
	change := func(f func(*alert.AlertBoard)) {
		_, err := d.store.ChangeAlerts(t.Context(), "acme", func(b *alert.AlertBoard) (store.AlertEffects, error) {
			f(b)
			return store.AlertEffects{}, nil
		})
		d.mustSucceed(err)
	}
	var id string
	change(func(b *alert.AlertBoard) {
		a, _ := b.RaiseAlert(alert.Alert{
			Kind: alert.FailureSpike, Facts: map[string]string{"failed": "6", "of": "7", "before": "5"},
		}, d.now)
		id = a.ID
	})
	d.getPage(account.Viewer, "").wantStatus(200).wantTexts("Many calls fail", warning, "Show the failed ones")
	change(func(b *alert.AlertBoard) { b.AcknowledgeAlert(id, "user:1", d.now) })
	d.getPage(account.Viewer, "").wantStatus(200).wantTexts(warning)
	change(func(b *alert.AlertBoard) { b.ClearAlert(id, d.now) })
	d.getPage(account.Viewer, "").wantStatus(200).wantNoTexts(warning)
}

// TestPausedCampaignsToday checks that waiting calls are said to wait for a paused campaign if theirs are those of today,
// however many campaigns are newer, not if the campaign's are due later.
func TestPausedCampaignsToday(t *testing.T) {
	t.Parallel()
	for ahead, want := range map[time.Duration][2]string{
		0: {"in paused campaigns", "done at about"}, 48 * time.Hour: {"done at about", "in paused campaigns"},
	} {
		d := newCallBench(t)
		one := campaign.Campaign{
			ID: campaign.NewID(), OrgID: "acme", Name: "x", ScenarioID: "restaurant_order", Status: campaign.Paused, CreatedAt: d.now,
		}
		create := func(one campaign.Campaign, ahead time.Duration) {
			c := call.Call{
				ID: call.NewID(), OrgID: "acme", Status: call.Scheduled, PhoneNumber: anyNumber, ScenarioID: one.ScenarioID,
				CampaignID: one.ID, Booking: call.Booked, CreatedAt: d.now, ScheduledAt: d.now.Add(ahead),
				Attempt: call.AttemptChain{Number: 1, Max: 1, Plan: call.RetryPlan{MaxAttempts: 1}},
			}
			c.Attempt.ChainID = c.ID
			_, err := d.store.CreateCampaign(t.Context(), one, []call.Call{c}, "test", nil)
			d.mustSucceed(err)
		}
		create(one, ahead)
		for i := range 60 {
			one.ID, one.Status, one.CreatedAt = campaign.NewID(), campaign.Running, d.now.Add(time.Duration(i))
			create(one, 48*time.Hour)
		}
		if ahead > 0 {
			d.bookCall("acme", anyNumber, func(c *call.Call) { c.ScheduledAt = d.now })
		}
		d.getPage(account.Viewer, "").wantStatus(200).wantTexts(want[0]).wantNoTexts(want[1])
	}
}

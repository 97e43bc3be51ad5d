package scheduler_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"munadi/appliance/scheduler"
	"munadi/store/call"
	"munadi/store/campaign"
)

// TestCampaignLimits checks that a campaign's calls start no faster than its pace and never use more lines than it has.
func TestCampaignLimits(t *testing.T) {
	t.Parallel()
	s, now := emptyStore(t), time.Now()
	const calls = 5
	c := campaign.Campaign{
		ID: campaign.NewID(), OrgID: "small", Name: "n", ScenarioID: "s", Status: campaign.Running, CreatedAt: now, CallsPerMinute: 300, Lines: 1,
	}
	var all []call.Call
	for i := range calls {
		id := call.NewID()
		all = append(all, call.Call{
			ID: id, OrgID: "small", CampaignID: c.ID, Status: call.Scheduled, PhoneNumber: fmt.Sprintf("+96650%07d", i), ScenarioID: "s",
			Booking: call.Immediate, CreatedAt: now, ScheduledAt: now, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
		})
	}
	if _, err := s.CreateCampaign(t.Context(), c, all, "test", nil); err != nil {
		t.Fatal(err)
	}
	p := &countingDialer{store: s, all: make(chan struct{}), want: calls}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	began := time.Now()
	go func() {
		ended <- scheduler.NewScheduler(scheduler.Dependencies{
			Store: s, Scenarios: anyScenario{}, Dialer: p, Lines: func() int { return 10 }, Log: slog.New(slog.DiscardHandler),
		}).Run(ctx)
	}()
	select {
	case <-p.all:
	case <-time.After(5 * time.Minute):
		t.Fatal("the calls did not end")
	}
	if took := time.Since(began); took < (calls-1)*200*time.Millisecond {
		t.Errorf("%d calls at 300 a minute started within %v", calls, took)
	}
	cancel()
	if err := <-ended; err != nil || p.most != 1 {
		t.Errorf("%d calls at once, %v", p.most, err)
	}
	if got, err := s.FindCampaign(t.Context(), "small", c.ID); err != nil || got.Status != campaign.Finished {
		t.Errorf("the campaign is %s, %v", got.Status, err)
	}
}

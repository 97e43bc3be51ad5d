package badger

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/delivery"
	"munadi/store/record"
	"munadi/store/storetest"
)

// callStep is the last acknowledged step of a call.
type callStep string

// The steps of a call in the killed process; each implies those before it.
const (
	stepBooked    callStep = "booked"
	stepReleased  callStep = "released"
	stepEnded     callStep = "ended"
	stepDelivered callStep = "delivered"
)

// prepareCalls creates the organization with an enabled webhook, unless an earlier round has. It returns a new
// campaign, which stays running because one of its calls is scheduled.
func prepareCalls(s *BadgerStore) (campaignID string, err error) {
	ctx := context.Background()
	err = s.CreateOrganization(ctx, account.Organization{ID: "airline"}, "test")
	if err != nil && store.CodeOf(err) != store.CodeConflict {
		return "", err
	}
	now := time.Now()
	c := campaign.Campaign{
		ID: campaign.NewID(), OrgID: "airline", Name: "Reminders", ScenarioID: "order", Status: campaign.Running, CreatedAt: now,
	}
	waiting := newTestCall("airline")
	waiting.CampaignID, waiting.CreatedAt, waiting.ScheduledAt = c.ID, now, now.Add(time.Hour)
	once := &store.IdempotencyReceipt{Key: "for " + c.ID, MadeAt: now}
	if _, err := s.CreateCampaign(ctx, c, []call.Call{waiting}, "key:x", once); err != nil {
		return "", err
	}
	return c.ID, storetest.ReplaceWebhook(ctx, s, "airline", delivery.WebhookSetting{URL: "https://example.com", Enabled: true}, "key:x", time.Now())
}

// callLives takes the calls of a campaign through all steps, one after another, and prints every acknowledged step.
func callLives(s *BadgerStore, campaignID string, out io.Writer) error {
	ctx := context.Background()
	for {
		c := newTestCall("airline")
		c.CreatedAt, c.ScheduledAt, c.CampaignID = time.Now(), time.Now(), campaignID
		once := &store.IdempotencyReceipt{Key: "for " + c.ID, MadeAt: c.CreatedAt}
		if _, err := s.BookCall(ctx, c, "key:x", once); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s %s\n", stepBooked, c.ID)
		if _, err := s.ReleaseCall(ctx, "airline", c.ID, time.Now()); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s %s\n", stepReleased, c.ID)
		o := call.CallOutcome{
			Status: call.NoAnswer, Failure: &call.CallFailure{Reason: call.RingTimeout},
			Messages: []call.Message{{Role: call.User, Content: c.ID}},
		}
		if _, err := s.FinishCall(ctx, "airline", c.ID, o, nil, time.Now()); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s %s\n", stepEnded, c.ID)
		d, err := s.DeliveryOf(ctx, "airline", c.ID)
		if err != nil || d == nil {
			return fmt.Errorf("the delivery of %s: %v, %w", c.ID, d, err)
		}
		if _, err := s.RecordTry(ctx, "airline", d.ID, delivery.DeliveryTry{At: time.Now()}, time.Now()); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s %s\n", stepDelivered, c.ID)
	}
}

// checkCallsAcknowledged fails unless every call is at least at its acknowledged step, with the records of that step:
// the receipt of its booking and, after its end, one retry and one delivery, without duplicates.
func checkCallsAcknowledged(t *testing.T, s *BadgerStore, acked map[string]callStep) {
	t.Helper()
	ctx := t.Context()
	for id, step := range acked {
		c, err := s.FindCall(ctx, "airline", id)
		if err != nil {
			t.Errorf("call %s, acknowledged as %s: %v", id, step, err)
			continue
		}
		r, err := s.FindReceipt(ctx, "airline", "for "+id, c.CreatedAt)
		if err != nil || r == nil || r.CallID != id {
			t.Errorf("the receipt of call %s: %+v, %v", id, r, err)
		}
		ended := step == stepEnded || step == stepDelivered
		if ended && c.Status != call.NoAnswer || step == stepReleased && c.Status == call.Scheduled {
			t.Errorf("call %s, acknowledged as %s, is %s", id, step, c.Status)
		}
		if c.Status == call.NoAnswer {
			checkEnded(t, s, c, step)
		}
	}
	checkNoDuplicates(t, s)
}

// checkEnded checks the records that the transaction of a call's end wrote.
func checkEnded(t *testing.T, s *BadgerStore, c call.Call, step callStep) {
	t.Helper()
	d, err := s.DeliveryOf(t.Context(), "airline", c.ID)
	if err != nil || d == nil || step == stepDelivered && d.State != delivery.Delivered {
		t.Errorf("call %s, acknowledged as %s, has the delivery %+v, %v", c.ID, step, d, err)
	}
	if len(c.Messages) != 1 || c.Messages[0].Content != c.ID || !c.Notify || c.Attempt.NextID == nil {
		t.Errorf("call %s ended as %+v", c.ID, c)
		return
	}
	next, err := s.FindCall(t.Context(), "airline", *c.Attempt.NextID)
	if err != nil || next.Attempt.PreviousID == nil || *next.Attempt.PreviousID != c.ID {
		t.Errorf("the retry of %s: %+v, %v", c.ID, next, err)
	}
}

// checkNoDuplicates fails unless each ended call has one delivery and one retry, and each receipt one call.
func checkNoDuplicates(t *testing.T, s *BadgerStore) {
	t.Helper()
	err := s.readSnapshot(t.Context(), func(v snapshotView) error {
		calls, err := listRecords[record.CallRecord](v, joinPrefix("call", "airline"))
		if err != nil {
			return err
		}
		ended, retries, receipts, rows, kept := 0, 0, 0, 0, 0
		for _, r := range calls {
			if r.Call.Status == call.NoAnswer {
				ended++
			}
			if r.Call.Attempt.PreviousID != nil {
				retries++
			} else {
				receipts++
			}
		}
		v.visitKeys(joinPrefix("delivery", "airline"), func(string) bool { rows++; return true })
		v.visitKeys(joinPrefix("receipt", "airline"), func(string) bool { kept++; return true })
		if rows != ended || retries != ended || kept != receipts {
			t.Errorf("%d calls ended, with %d rows and %d retries; %d were booked with %d receipts", ended, rows, retries, receipts, kept)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

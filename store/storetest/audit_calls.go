package storetest

import (
	"encoding/json"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/delivery"
	"munadi/store/live"
)

// bookingChanges returns the changes of calls and people.
func bookingChanges(t *testing.T, s store.Store, by *string) []auditedChange {
	ctx, now := t.Context(), startTime()
	one, running := newCall("bakery", 0), newCall("bakery", 0)
	later := now.Add(time.Hour)
	book := func(c call.Call, once *store.IdempotencyReceipt) func() error {
		return func() error { _, err := s.BookCall(ctx, c, *by, once); return err }
	}
	move := func(actor string) func() error {
		return func() error {
			_, err := s.RescheduleCall(ctx, "bakery", one.ID, later, call.Rescheduled, actor, now)
			return err
		}
	}
	amend := func(a call.Amendment) func() error {
		return func() error { _, err := s.AmendCall(ctx, "bakery", one.ID, a, *by, now); return err }
	}
	cancel := func() error { _, err := s.CancelCall(ctx, "bakery", one.ID, *by, now); return err }
	hangup := func() error { _, err := s.HangupCall(ctx, "bakery", running.ID, *by, now); return err }
	tried := call.NewTrial(call.Call{OrgID: "bakery", ScenarioID: "order"}, now)
	erase := func() error { return s.EraseTrial(ctx, "bakery", tried.ID, *by, now) }
	note := "to " + later.Format(time.RFC3339)
	return []auditedChange{
		{"BookCall", book(one, newReceipt("audited", 0)), "", newEntry("call.create", one.ID, "order")},
		{"BookCall repeated", book(newCall("bakery", 0), newReceipt("audited", 0)), "", nil},
		{"BookCall again", book(one, nil), store.CodeConflict, nil},
		{"RescheduleCall", func() error { return move(*by)() }, "", newEntry("call.reschedule", one.ID, note)},
		{"RescheduleCall by the scheduler", move("scheduler"), "", nil},
		{"AmendCall", amend(call.Amendment{Kind: call.AmendMark, Text: "private"}), "", newEntry("call.needs_person", one.ID, "")},
		{"AmendCall again", amend(call.Amendment{Kind: call.AmendMark}), "", nil},
		{"AmendCall too early", amend(correctAnswer("ok", "true")), store.CodeConflict, nil},
		{"CancelCall", cancel, "", newEntry("call.cancel", one.ID, "")},
		{"CancelCall again", cancel, store.CodeConflict, nil},
		{"another call", book(running, nil), "", newEntry("call.create", running.ID, "order")},
		{"HangupCall too early", hangup, store.CodeConflict, nil},
		{"ReleaseCall", func() error { _, err := s.ReleaseCall(ctx, "bakery", running.ID, now); return err }, "", nil},
		{"HangupCall", hangup, "", newEntry("call.hangup", running.ID, "")},
		{"HangupCall again", hangup, "", nil},
		{"BeginTrial", func() error { return s.BeginTrial(ctx, tried, *by) }, "", newEntry("trial.create", tried.ID, "order")},
		{"EraseTrial", erase, "", newEntry("trial.erase", tried.ID, "")},
		{"EraseTrial again", erase, "", nil},
		{
			"ErasePerson",
			func() error { _, err := s.ErasePerson(ctx, "bakery", number, *by, now); return err },
			"",
			newEntry("person.erase", call.MaskNumber(number), "1 calls emptied, 0 cancelled, 1 running: emptied when they end"),
		},
	}
}

// campaignChanges returns the changes of campaigns; their calls add no entries.
func campaignChanges(t *testing.T, s store.Store, by *string) []auditedChange {
	ctx, now := t.Context(), startTime()
	c, calls := newCampaign("bakery", 2, 1)
	change := func(action store.CampaignAction) func() error {
		return func() error { _, err := s.ChangeCampaign(ctx, "bakery", c.ID, action, *by, now); return err }
	}
	retry := func() error {
		_, err := s.RetryCampaign(ctx, "bakery", c.ID, map[string]call.Call{}, *by, now)
		return err
	}
	create := func(made campaign.Campaign) func() error {
		return func() error { _, err := s.CreateCampaign(ctx, made, calls, *by, nil); return err }
	}
	return []auditedChange{
		{"CreateCampaign", create(c), "", newEntry("campaign.create", c.ID, "2 calls, 1 rows skipped")},
		{"ChangeCampaign to pause", change(store.PauseCampaign), "", newEntry("campaign.pause", c.ID, "")},
		{"ChangeCampaign to pause again", change(store.PauseCampaign), "", nil},
		{"ChangeCampaign to resume", change(store.ResumeCampaign), "", newEntry("campaign.resume", c.ID, "")},
		{"RetryCampaign", retry, "", newEntry("campaign.retry", c.ID, "0 calls")},
		{"ChangeCampaign to cancel", change(store.CancelCampaign), "", newEntry("campaign.cancel", c.ID, "")},
		{"RetryCampaign of a cancelled one", retry, store.CodeConflict, nil},
	}
}

// deliveryChanges returns the changes of the outbox. The delivery of a call adds no entry; its redelivery does.
func deliveryChanges(t *testing.T, s store.Store, by *string) []auditedChange {
	ctx, now := t.Context(), startTime()
	test := delivery.NewDelivery("bakery", delivery.Test, "call_x", now)
	again := func() error { _, err := s.RedeliverWebhook(ctx, "bakery", test.ID, *by, now); return err }
	return []auditedChange{
		{"AddDelivery", func() error { return s.AddDelivery(ctx, test, *by) }, "", newEntry("webhook.test", test.ID, "")},
		{"AddDelivery again", func() error { return s.AddDelivery(ctx, test, *by) }, store.CodeConflict, nil},
		{"RedeliverWebhook too early", again, store.CodeConflict, nil},
		{"RecordTry", func() error { recordTry(t, s, test, "", now); return nil }, "", nil},
		{"RedeliverWebhook", again, "", newEntry("delivery.redeliver", test.ID, "")},
	}
}

// destinationChanges returns the changes of destinations, and of the deliveries of events.
func destinationChanges(t *testing.T, s store.Store, by *string) []auditedChange {
	ctx, now := t.Context(), startTime()
	to := delivery.NewDestination("https://shop.example/secret", delivery.AllEventTypes(), true, now)
	var event delivery.Delivery
	add := func() error {
		return s.ChangeDestinations(ctx, "bakery", func(b *delivery.DestinationBoard) (store.AuditEntry, error) {
			b.Destinations = append(b.Destinations, to)
			return store.AuditEntry{At: now, Actor: *by, Action: "destination.create", Subject: to.ID}, nil
		})
	}
	redelivered := newEntry("delivery.redeliver", "", "")
	raise := func() error {
		enqueueJob(t, s, "bakery", "raising", now)
		claimJob(t, s, "raising")
		if err := s.FinishJob(t.Context(), "bakery", "raising", json.RawMessage(`{}`), now); err != nil {
			return err
		}
		event = listEvents(t, s, to, "bakery")[0]
		redelivered[0].Subject = event.ID
		tryEvent(t, s, event, "", now)
		return nil
	}
	again := func() error { _, err := s.RedeliverEvent(ctx, "bakery", to.ID, event.ID, *by, now); return err }
	replay := func() error {
		_, _, err := s.ReplayEvents(ctx, "bakery", to.ID, delivery.EventReplay{From: now}, *by, now)
		return err
	}
	remove := func() error { _, err := s.RemoveDestination(ctx, "bakery", to.ID, *by, now); return err }
	return []auditedChange{
		{"ChangeDestinations", add, "", newEntry("destination.create", to.ID, "")},
		{"an event", raise, "", nil},
		{"RedeliverEvent", again, "", redelivered},
		{"ReplayEvents", replay, "", newEntry("destination.replay", to.ID, now.Format(time.RFC3339))},
		{"RemoveDestination", remove, "", newEntry("destination.delete", to.ID, "shop.example")},
		{"RemoveDestination again", remove, store.CodeNotFound, nil},
	}
}

// liveChanges returns the changes of live sessions.
func liveChanges(t *testing.T, s store.Store, by *string) []auditedChange {
	ctx, now := t.Context(), startTime()
	l := live.LiveSession{ID: live.NewID(now), OrgID: "bakery", Source: live.Server, By: asked, StartedAt: now}
	remove := func() error { return s.DeleteLive(ctx, "bakery", l.ID, *by, now) }
	return []auditedChange{
		{"BeginLive", func() error { return s.BeginLive(ctx, l) }, "", nil},
		{"AddLiveSegment", func() error { return s.AddLiveSegment(ctx, "bakery", l.ID, live.LiveSegment{Text: "نعم"}) }, "", nil},
		{"DeleteLive", remove, "", newEntry("live.delete", l.ID, "")},
		{"DeleteLive again", remove, store.CodeNotFound, nil},
	}
}

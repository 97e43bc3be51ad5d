package webhook

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"munadi/appliance/apimodel"
	"munadi/appliance/httpserver/signedurl"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/delivery"
	"munadi/store/job"
	"munadi/store/jsontext"
)

// eventStore is the part of the store that the delivery of events uses.
type eventStore interface {
	store.DestinationStore
	FindWebhook(ctx context.Context, orgID string) (delivery.WebhookSetting, error)
	WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func())
	FindCall(ctx context.Context, orgID, id string) (call.Call, error)
	FindCampaign(ctx context.Context, orgID, id string) (campaign.Campaign, error)
	FindJob(ctx context.Context, orgID, id string) (job.Job, error)
}

// EventSource makes the bodies of events.
type EventSource struct {
	Store eventStore
	Links *signedurl.SignedLinks
	// JobBody renders an ended job as the API answers it.
	JobBody func(j job.Job) ([]byte, error)
}

// NewEventWorker creates a worker that sends events to destinations instead of notifications to webhooks, with the same
// rules of sending; o.Store and o.Body are set here. Of one subject, a call for example, one attempt runs at a time, in
// the order of its events; an event that waits for its next attempt holds up no later one.
func NewEventWorker(source EventSource, o WorkerOptions) *DeliveryWorker {
	outbox := eventOutbox{source.Store}
	o.Store, o.Body = outbox, source.EventBody
	w := NewWorker(o)
	w.receiver = outbox.findReceiver
	return w
}

// EventBody returns the body of an event: the one that was sent before, else a new one from the state of its subject at
// the event. After a crash between an attempt and its record it is made again, with the same bytes. What was erased is
// sent as it is now.
func (s EventSource) EventBody(ctx context.Context, d delivery.Delivery) ([]byte, error) {
	if len(d.Tries) > 0 {
		stored, err := s.Store.FindEvent(ctx, d.OrgID, d.Destination, d.ID)
		if err != nil || len(stored.Body) > 0 {
			return stored.Body, err
		}
	}
	data, err := s.findData(ctx, d)
	if err != nil {
		return nil, err
	}
	return jsontext.MarshalUnescaped(apimodel.EventBodyOf(d, data))
}

// findData returns the subject of an event as the API answers it.
func (s EventSource) findData(ctx context.Context, d delivery.Delivery) (any, error) {
	switch d.Event {
	case delivery.JobFinished:
		j, err := s.Store.FindJob(ctx, d.OrgID, d.CallID)
		if err != nil {
			return nil, err
		}
		body, err := s.JobBody(j)
		return json.RawMessage(body), err
	case delivery.CampaignFinished:
		var state campaign.CampaignSnapshot
		if len(d.Subject) == 0 {
			c, err := s.Store.FindCampaign(ctx, d.OrgID, d.CallID)
			return apimodel.CampaignOf(c), err
		}
		err := json.Unmarshal(d.Subject, &state)
		return apimodel.CampaignOf(state.Restore()), err
	default:
		return s.findCall(ctx, d)
	}
}

// findCall returns the call of an event. When it was raised, the notification of the call's end by the webhook was not
// sent yet.
func (s EventSource) findCall(ctx context.Context, d delivery.Delivery) (_ any, err error) {
	var c call.Call
	if len(d.Subject) > 0 {
		err = json.Unmarshal(d.Subject, &c)
	} else {
		c, err = s.Store.FindCall(ctx, d.OrgID, d.CallID)
	}
	var notification *delivery.Delivery
	if c.Notify {
		notification = &delivery.Delivery{State: delivery.Pending}
	}
	return apimodel.CallOf(c, notification, s.Links.LinksAt(d.CreatedAt)), err
}

// eventOutbox is the outbox of events as a [DeliveryWorker] uses it: a receiver is a destination, and the id of a
// delivery its [delivery.Delivery.Key].
type eventOutbox struct{ eventStore }

// findReceiver returns the destination of a delivery; one that was removed accepts nothing.
func (o eventOutbox) findReceiver(ctx context.Context, d delivery.Delivery) (delivery.WebhookSetting, error) {
	board, err := o.FindDestinations(ctx, d.OrgID)
	if err != nil {
		return delivery.WebhookSetting{}, err
	}
	if one := board.FindDestination(d.Destination); one != nil {
		return one.Setting(), nil
	}
	return delivery.WebhookSetting{}, nil
}

// DueDeliveries implements outboxStore.
func (o eventOutbox) DueDeliveries(
	ctx context.Context, room func(receiver string) int, busy func(key string) bool, now time.Time, limit int,
) ([]delivery.Delivery, time.Time, error) {
	return o.DueEvents(ctx, room, busy, now, limit)
}

// RecordTry implements outboxStore.
func (o eventOutbox) RecordTry(
	ctx context.Context, orgID, key string, t delivery.DeliveryTry, now time.Time,
) (delivery.Delivery, error) {
	destination, id, _ := strings.Cut(key, "/")
	return o.RecordEventTry(ctx, orgID, destination, id, t, now)
}

// WatchKind implements outboxStore.
func (o eventOutbox) WatchKind(store.ChangeKind) (woken <-chan struct{}, stop func()) {
	return o.eventStore.WatchKind(store.EventsChanged)
}

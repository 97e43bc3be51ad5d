package records

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/delivery"
	"munadi/store/driver"
	"munadi/store/job"
	"munadi/store/record"
)

var (
	eventsByCreation = &driver.Index{Kind: "event-made", Parts: []string{"org", "destination", "made", "id"}}
	eventsByState    = &driver.Index{Kind: "event-state", Parts: []string{"org", "destination", "state", "made", "id"}}
	eventsOfSubject  = &driver.Index{Kind: "event-of", Parts: []string{"org", "subject", "destination", "id"}}
	eventsEnded      = &driver.Index{Kind: "event-ended", Parts: []string{"ended", "org", "destination", "id"}}
	eventsDue        = &driver.Index{
		Kind: "event-due", Parts: []string{"org", "destination", "next_at", "made", "id"}, Partition: 2, Queue: true,
		Only: []driver.Condition{{Column: "state", Value: string(delivery.Pending)}},
	}

	// events are the deliveries of events, one for each destination of an event.
	events = declareKind(driver.Table{
		Kind: "event", Name: "event_deliveries", Key: []string{"org", "destination", "id"},
		Columns: []string{"subject", "state", "made", "next_at", "ended"}, Numbers: []string{"made", "next_at", "ended"},
		Indexes: []*driver.Index{eventsByCreation, eventsByState, eventsOfSubject, eventsEnded, eventsDue},
		Owned:   true, RandomKey: true,
	}, func(r record.EventRecord) []any {
		d := r.Delivery
		return []any{
			d.CallID, string(d.State), record.UnixNanos(d.CreatedAt), record.UnixNanos(d.NextAt), optionalNanos(r.EndedAt),
		}
	}, func(key []string) error {
		return store.Errorf(store.CodeNotFound, "there is no delivery %q", key[2])
	})

	// eventBodies are the bodies as they were first sent, so that all attempts and redeliveries send the same bytes.
	eventBodies = declareRaw(driver.Table{
		Kind: "event-body", Name: "event_bodies", Key: []string{"org", "destination", "id"},
	})
)

// raiseEvent enqueues an event for each destination that wants it. state returns what is stored of its subject; nil:
// nothing. Without destinations it costs one read. A board that cannot be read has none: the change goes on.
func raiseEvent(tx driver.Tx, e delivery.Event, state func() (any, error)) error {
	board, _, err := destinationBoards.find(tx, e.OrgID)
	if err != nil {
		return store.IgnoreMissing(err)
	}
	id := ""
	for _, one := range board.Destinations {
		if !one.Wants(e.Type) {
			continue
		}
		if id == "" {
			id = delivery.NewEventID()
			if e.State, err = encodeState(state); err != nil {
				return err
			}
			tx.Announce(store.EventsChanged)
		}
		r := record.EventRecord{Delivery: e.DeliverTo(one.ID, id)}
		if err := events.add(tx, r, "there is already an event \""+id+"\"", e.OrgID, one.ID, id); err != nil {
			return err
		}
	}
	return nil
}

// encodeState encodes the state of an event's subject.
func encodeState(state func() (any, error)) (json.RawMessage, error) {
	if state == nil {
		return nil, nil
	}
	of, err := state()
	if err != nil {
		return nil, err
	}
	return json.Marshal(of)
}

// saveEvent writes a changed delivery.
func saveEvent(tx driver.Tx, before, after record.EventRecord) error {
	d := after.Delivery
	tx.Announce(store.EventsChanged)
	return events.replace(tx, before, after, d.OrgID, d.Destination, d.ID)
}

// RecordEventTry implements [store.DestinationStore].
func (s *Records) RecordEventTry(
	ctx context.Context, orgID, destination, id string, t delivery.DeliveryTry, now time.Time,
) (d delivery.Delivery, err error) {
	err = s.db.Update(ctx, func(tx driver.Tx) error {
		closed, err := judgeDestination(tx, orgID, destination, t.Error != "", now)
		if err != nil {
			return err
		}
		before, err := events.lock(tx, orgID, destination, id)
		if err != nil {
			return err
		}
		tx.MarkUrgent() // an unrecorded attempt would be repeated
		after := before
		body, err := after.RecordTry(t, closed, now)
		if err != nil {
			return err
		}
		d = after.Delivery
		return saveTriedEvent(tx, before, after, body)
	})
	if err != nil {
		return delivery.Delivery{}, err
	}
	return d, nil
}

// saveTriedEvent writes a delivery after an attempt, and its body if that is new. An ended one of a job that expired
// while it was sent is emptied.
func saveTriedEvent(tx driver.Tx, before, after record.EventRecord, body []byte) error {
	d := after.Delivery
	row := driver.Row{Key: []string{d.OrgID, d.Destination, d.ID}, Raw: body}
	if after.EndedAt != nil && d.Event == delivery.JobFinished {
		_, known, err := jobs.find(tx, d.OrgID, d.CallID)
		if store.IgnoreMissing(err) != nil {
			return err
		}
		if err == nil && !known {
			tx.OweCompaction()
			after = after.ErasePersonalData()
			return errors.Join(tx.Delete(eventBodies, row), saveEvent(tx, before, after))
		}
	}
	if body != nil {
		if err := tx.Put(eventBodies, nil, row); err != nil {
			return err
		}
	}
	return saveEvent(tx, before, after)
}

// RedeliverEvent implements [store.DestinationStore]. The appliance that received the request becomes the owner.
func (s *Records) RedeliverEvent(
	ctx context.Context, orgID, destination, id, actor string, now time.Time,
) (d delivery.Delivery, err error) {
	err = s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		before, err := events.lock(tx, orgID, destination, id)
		if err != nil {
			return done, err
		}
		after := before
		if err = after.BeginAgain(now); err == nil {
			err = saveEvent(tx, before, after)
		}
		if err != nil {
			return done, err
		}
		d = after.Delivery
		entry := store.AuditEntry{At: now, Actor: actor, Action: "delivery.redeliver", Subject: id}
		return audited{orgID, entry}, tx.Own(events.Table, []string{orgID, destination, id})
	})
	if err != nil {
		return delivery.Delivery{}, err
	}
	return d, nil
}

// ReplayEvents implements [store.DestinationStore].
func (s *Records) ReplayEvents(
	ctx context.Context, orgID, destination string, r delivery.EventReplay, actor string, now time.Time,
) (queued int, more time.Time, err error) {
	err = s.ChangeDestinations(ctx, orgID, func(b *delivery.DestinationBoard) (store.AuditEntry, error) {
		one := b.FindDestination(destination)
		if one == nil {
			return store.AuditEntry{}, noDestination(destination)
		}
		if !one.Enabled {
			return store.AuditEntry{}, store.Errorf(store.CodeConflict, "the destination is switched off")
		}
		note := r.From.UTC().Format(time.RFC3339)
		return store.AuditEntry{At: now, Actor: actor, Action: "destination.replay", Subject: destination, Note: note}, nil
	})
	if err != nil {
		return 0, more, err
	}
	q := driver.Query{
		Index: eventsByCreation, Equal: []any{orgID, destination}, Limit: delivery.MaxReplay, Where: []driver.Condition{
			{Column: "made", Op: driver.AtLeast, Value: record.UnixNanos(r.From)},
		},
	}
	if !r.To.IsZero() {
		q.Where = append(q.Where, driver.Condition{Column: "made", Op: driver.AtMost, Value: record.UnixNanos(r.To)})
	}
	made, err := sweepKind(ctx, s.db, events, q,
		func(tx driver.Tx, row driver.Row, before record.EventRecord) (at time.Time, changed bool, err error) {
			after := before
			if !r.Selects(before.Delivery) || !after.ReplayAt(now) {
				return at, false, nil
			}
			err = errors.Join(saveEvent(tx, before, after), tx.Own(events.Table, row.Key))
			return before.Delivery.CreatedAt, true, err
		})
	if len(made) >= delivery.MaxReplay {
		more = made[len(made)-1]
	}
	return len(made), more, err
}

// eraseEvents removes what the deliveries of a subject's events say of it; those that cannot be read stay. Where some
// are still to be sent, they are sent as the subject is then. ended leaves those alone.
func eraseEvents(tx driver.Tx, orgID, subject string, ended bool) error {
	q := driver.Query{Index: eventsOfSubject, Equal: []any{orgID, subject}, Lock: true}
	return events.visit(tx, q, func(row driver.Row, before record.EventRecord) (bool, error) {
		if before.Erased || ended && before.EndedAt == nil {
			return true, nil
		}
		tx.OweCompaction()
		if err := tx.Delete(eventBodies, driver.Row{Key: row.Key}); err != nil {
			return false, err
		}
		return true, saveEvent(tx, before, before.ErasePersonalData())
	})
}

// dropEvent deletes a delivery and its body; it is a change of [sweepKind].
func dropEvent(tx driver.Tx, row driver.Row, r record.EventRecord) (one struct{}, changed bool, err error) {
	tx.OweCompaction()
	if err := tx.Delete(eventBodies, driver.Row{Key: row.Key}); err != nil {
		return one, false, err
	}
	return one, true, events.remove(tx, r, row.Key...)
}

// FindEvent implements [store.DestinationStore].
func (s *Records) FindEvent(ctx context.Context, orgID, destination, id string) (d delivery.Delivery, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		r, err := events.need(tx, orgID, destination, id)
		if d = r.Delivery; err == nil && r.Sent {
			d.Body, _, err = tx.Get(eventBodies, []string{orgID, destination, id}, driver.NoLock)
		}
		return err
	})
	return d, err
}

// ListEvents implements [store.DestinationStore].
func (s *Records) ListEvents(
	ctx context.Context, orgID, destination string, state delivery.DeliveryState, limit int, cursor string,
) (store.ListPage[delivery.Delivery], error) {
	q := driver.Query{Index: eventsByCreation, Equal: []any{orgID, destination}, Latest: true}
	if state != "" {
		q = driver.Query{Index: eventsByState, Equal: []any{orgID, destination, string(state)}, Latest: true}
	}
	found, err := read(ctx, s, func(tx driver.Tx) (store.ListPage[record.EventRecord], error) {
		return events.page(tx, q, []string{"events", orgID, destination, string(state)}, limit, cursor)
	})
	return mapPage(found, func(r record.EventRecord) delivery.Delivery { return r.Delivery }), err
}

// DueEvents implements [store.DestinationStore], for the deliveries that this appliance owns.
func (s *Records) DueEvents(
	ctx context.Context, room func(destination string) int, busy func(key string) bool, now time.Time, limit int,
) (found []delivery.Delivery, next time.Time, err error) {
	due, next, err := dueOfReceivers(ctx, s, events, eventsDue, 1, room, busy, now, limit)
	for _, r := range due {
		found = append(found, r.Delivery)
	}
	slices.SortStableFunc(found, func(a, b delivery.Delivery) int {
		return cmp.Or(a.NextAt.Compare(b.NextAt), a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Destination, b.Destination))
	})
	return found[:min(len(found), max(limit, 0))], next, err
}

// ExpireEvents implements [store.DestinationStore].
func (s *Records) ExpireEvents(ctx context.Context, now time.Time) (int, error) {
	expired, err := sweepKind(ctx, s.db, events, driver.Query{Index: eventsEnded, Where: []driver.Condition{
		{Column: "ended", Op: driver.AtMost, Value: record.UnixNanos(now.Add(-delivery.KeepEvents))},
	}}, dropEvent)
	return len(expired), err
}

// raiseCallEvents raises the events of a call's change: of its status, and of its mark for staff. before is nil for a
// new call; after has its messages if the change set them.
func raiseCallEvents(tx driver.Tx, before *record.CallRecord, after record.CallRecord) error {
	c := after.Call
	e := delivery.Event{OrgID: c.OrgID, Subject: c.ID}
	state := func() (_ any, err error) {
		if len(c.Messages) == 0 && after.Words {
			c.Messages, _, err = callWords.find(tx, c.OrgID, c.ID)
		}
		return c, err
	}
	if e.Type, e.At = statusEvent(before, c); e.Type != "" {
		if err := raiseEvent(tx, e, state); err != nil {
			return err
		}
	}
	if !c.Need.IsOpen() || before != nil && before.Call.Need.IsOpen() {
		return nil
	}
	e.Type, e.At = delivery.NeedsStaff, c.Need.At
	return raiseEvent(tx, e, state)
}

// statusEvent returns the event of a call's new status, and its time; none if the status did not change. A call that
// was reopened after an interruption has a second end; a call-back is being dialled once the person is called.
func statusEvent(before *record.CallRecord, c call.Call) (delivery.EventType, time.Time) {
	switch {
	case before == nil:
		return delivery.CallBooked, c.CreatedAt
	case c.EndedAt != nil && (before.Call.EndedAt == nil || !before.Call.EndedAt.Equal(*c.EndedAt)):
		return endEvent(c.Status), *c.EndedAt
	case c.Status == call.Dialing && c.ReleasedAt != nil &&
		(before.Call.Status != c.Status || before.Call.ReleasedAt == nil):
		return delivery.CallDialing, *c.ReleasedAt
	case before.Call.Status == c.Status:
	case c.Status == call.InProgress && c.StartedAt != nil:
		return delivery.CallAnswered, *c.StartedAt
	}
	return "", time.Time{}
}

// endEvent returns the event of a call's end.
func endEvent(status call.CallStatus) delivery.EventType {
	switch status {
	case call.Completed:
		return delivery.CallCompleted
	case call.Cancelled:
		return delivery.CallCancelled
	default:
		return delivery.CallFailed
	}
}

// raiseCampaignEvent raises the event of a campaign that finished at a time.
func raiseCampaignEvent(tx driver.Tx, c campaign.Campaign, at time.Time) error {
	e := delivery.Event{Type: delivery.CampaignFinished, OrgID: c.OrgID, Subject: c.ID, At: at}
	return raiseEvent(tx, e, func() (any, error) {
		skipped, _, err := campaignSkipped.find(tx, c.OrgID, c.ID)
		if c.Skipped = skipped; store.IsUnreadable(err) {
			c.SkippedLost, err = true, nil
		}
		return campaign.TakeSnapshot(c), err
	})
}

// raiseJobEvent raises the event of a job's end. Its result, which does not change any more, is not stored again: it is
// read when the event is sent.
func raiseJobEvent(tx driver.Tx, before, after job.Job) error {
	if before.FinishedAt != nil || after.FinishedAt == nil {
		return nil
	}
	e := delivery.Event{Type: delivery.JobFinished, OrgID: after.OrgID, Subject: after.ID, At: *after.FinishedAt}
	return raiseEvent(tx, e, nil)
}

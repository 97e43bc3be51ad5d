package service

import (
	"context"
	"fmt"
	"time"

	"munadi/store"
	"munadi/store/delivery"
)

// DestinationRequest asks for a destination of events; nil leaves a field as it is.
type DestinationRequest struct {
	URL        *string
	Events     *[]delivery.EventType
	Enabled    *bool // a new destination is enabled without it
	Rotate     bool  // creates a new signing secret; the old one also signs for one more day
	Violations FieldViolations
	Seen       Precondition[delivery.Destination]
}

// applyTo returns the fields that the request asks for, based on those of d.
func (r DestinationRequest) applyTo(
	d delivery.Destination,
) (address string, events []delivery.EventType, enabled bool) {
	address, events, enabled = d.URL, d.Events, d.Enabled
	if r.URL != nil {
		address = *r.URL
	}
	if r.Events != nil {
		events = *r.Events
	}
	if r.Enabled != nil {
		enabled = *r.Enabled
	}
	return address, events, enabled
}

// checkDestination checks what the request makes of d; a URL that it names is resolved (SSRF protection).
func (u *UseCases) checkDestination(ctx context.Context, d delivery.Destination, r DestinationRequest) error {
	address, events, _ := r.applyTo(d)
	found := r.Violations
	found.AddAll(delivery.CheckDestination(address, events))
	if r.URL != nil && !found.HasViolation("url") {
		if err := u.CheckURL(ctx, address); err != nil {
			found.AddViolation("url", "%s", err.Error())
		}
	}
	return violationError(found...)
}

// FindDestination returns a destination of an organization. [store.CodeNotFound] without one.
func (u *UseCases) FindDestination(ctx context.Context, orgID, id string) (delivery.Destination, error) {
	board, err := u.Store.FindDestinations(ctx, orgID)
	if err != nil {
		return delivery.Destination{}, err
	}
	return needDestination(&board, id)
}

func needDestination(board *delivery.DestinationBoard, id string) (delivery.Destination, error) {
	one := board.FindDestination(id)
	if one == nil {
		return delivery.Destination{}, store.Errorf(store.CodeNotFound, "there is no destination %q", id)
	}
	return *one, nil
}

// CreateDestination adds a destination; its secret is in the result, and shown once.
func (u *UseCases) CreateDestination(
	ctx context.Context, who Caller, r DestinationRequest,
) (delivery.Destination, error) {
	fresh := delivery.Destination{Enabled: true}
	if err := u.checkDestination(ctx, fresh, r); err != nil {
		return fresh, err
	}
	now := u.now()
	address, events, enabled := r.applyTo(fresh)
	made := delivery.NewDestination(address, events, enabled, now)
	err := u.Store.ChangeDestinations(ctx, who.OrgID, func(b *delivery.DestinationBoard) (store.AuditEntry, error) {
		if len(b.Destinations) >= delivery.MaxDestinations {
			return store.AuditEntry{}, &ConflictError{Reason: StateForbidden, Message: fmt.Sprintf(
				"The organization has %d destinations, the maximum: delete one first", len(b.Destinations))}
		}
		b.Destinations = append(b.Destinations, made)
		return store.AuditEntry{
			At: now, Actor: who.Actor, Action: "destination.create", Subject: made.ID, Note: made.Host(),
		}, nil
	})
	return made, err
}

// ChangeDestination changes the fields of a destination that the request names. A new secret is the first of its
// secrets, and shown once.
func (u *UseCases) ChangeDestination(
	ctx context.Context, who Caller, id string, r DestinationRequest,
) (changed delivery.Destination, err error) {
	before, err := u.FindDestination(ctx, who.OrgID, id)
	if err == nil {
		err = u.checkDestination(ctx, before, r)
	}
	if err != nil {
		return changed, err
	}
	now := u.now()
	err = u.Store.ChangeDestinations(ctx, who.OrgID, func(b *delivery.DestinationBoard) (store.AuditEntry, error) {
		stored, err := needDestination(b, id)
		if err != nil {
			return store.AuditEntry{}, err
		}
		if err := r.Seen.check(stored); err != nil {
			return store.AuditEntry{}, err
		}
		address, events, enabled := r.applyTo(stored)
		changed = stored.Edit(address, events, enabled, now)
		entry := store.AuditEntry{At: now, Actor: who.Actor, Action: "destination.change", Subject: id, Note: "off"}
		if enabled {
			entry.Note = "on"
		}
		if r.Rotate {
			changed, entry.Action = changed.RotateSecret(now), "destination.rotate"
		}
		*b.FindDestination(id) = changed
		return entry, nil
	})
	return changed, err
}

// RemoveDestination removes a destination with its deliveries.
func (u *UseCases) RemoveDestination(ctx context.Context, who Caller, id string) (delivery.Destination, error) {
	return u.Store.RemoveDestination(ctx, who.OrgID, id, who.Actor, u.now())
}

// EventReplayRequest asks for events to be sent to a destination again.
type EventReplayRequest struct {
	From, To   *time.Time // From is needed
	Events     []delivery.EventType
	Failed     bool // only what was not delivered
	Violations FieldViolations
}

// Replayed is what came of a replay.
type Replayed struct {
	Queued int
	More   time.Time // where the next replay begins; zero: everything was queued
}

// checkReplay returns the replay that the request asks for.
func (r EventReplayRequest) checkReplay(now time.Time) (delivery.EventReplay, error) {
	found, asked := r.Violations, delivery.EventReplay{Events: r.Events, Failed: r.Failed}
	switch {
	case found.HasViolation("from"):
	case r.From == nil:
		found.AddViolation("from", "is needed: the time of the first event, like %s", now.UTC().Format(time.RFC3339))
	case r.From.After(now):
		found.AddViolation("from", "must not be in the future")
	case r.From.Before(time.Unix(0, 0)): // years far away have no number of nanoseconds
		asked.From = time.Unix(0, 0)
	default:
		asked.From = *r.From
	}
	switch {
	case r.To == nil:
	case r.From != nil && r.To.Before(*r.From):
		found.AddViolation("to", "must not be before from")
	case r.To.Before(now):
		asked.To = *r.To
	}
	if r.Events != nil {
		found.AddAll(delivery.CheckEvents(r.Events))
	}
	return asked, violationError(found...)
}

// ReplayEvents enqueues deliveries of a destination again. One that is off is a [ViolationError].
func (u *UseCases) ReplayEvents(
	ctx context.Context, who Caller, destination string, r EventReplayRequest,
) (done Replayed, err error) {
	now := u.now()
	to, err := u.FindDestination(ctx, who.OrgID, destination)
	if err != nil {
		return done, err
	}
	asked, err := r.checkReplay(now)
	if err == nil {
		err = needEnabled(to)
	}
	if err == nil {
		done.Queued, done.More, err = u.Store.ReplayEvents(ctx, who.OrgID, destination, asked, who.Actor, now)
	}
	return done, explainConflict(err, StateForbidden, "The destination is off")
}

// needEnabled refuses to send to a destination that is off.
func needEnabled(d delivery.Destination) error {
	if d.Enabled {
		return nil
	}
	return violationError(FieldViolation{
		Field: "enabled", Message: "is false: PATCH /destinations/" + d.ID + " turns the destination on",
	})
}

// RedeliverEvent enqueues an ended delivery of an event again. A destination that is off is a [ViolationError].
func (u *UseCases) RedeliverEvent(ctx context.Context, who Caller, destination, id string) (delivery.Delivery, error) {
	to, err := u.FindDestination(ctx, who.OrgID, destination)
	if err == nil {
		_, err = u.Store.FindEvent(ctx, who.OrgID, destination, id)
	}
	if err == nil {
		err = needEnabled(to)
	}
	if err != nil {
		return delivery.Delivery{}, err
	}
	d, err := u.Store.RedeliverEvent(ctx, who.OrgID, destination, id, who.Actor, u.now())
	return d, explainConflict(err, StateForbidden, "The delivery has not ended yet")
}

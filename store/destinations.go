package store

import (
	"context"
	"time"

	"munadi/store/delivery"
)

// DestinationStore stores the destinations of events, and the outbox of the events' deliveries. The changes that raise
// events write a delivery for each enabled destination that wants the event, in the same transaction.
type DestinationStore interface {
	// FindDestinations returns an organization's destinations; the zero board when it never had any.
	FindDestinations(ctx context.Context, orgID string) (delivery.DestinationBoard, error)
	// ChangeDestinations is a read-modify-write of an organization's destinations in one transaction, with the audit entry
	// that change returns; without an action there is none. change may be called again; its error is returned unchanged
	// and leaves the board unchanged. CodeNotFound without the organization.
	ChangeDestinations(
		ctx context.Context, orgID string, change func(*delivery.DestinationBoard) (AuditEntry, error),
	) error
	// RemoveDestination removes a destination and its deliveries, and returns it; the audit entry destination.delete names
	// it. CodeNotFound without one.
	RemoveDestination(ctx context.Context, orgID, id, actor string, now time.Time) (delivery.Destination, error)

	// DueEvents is [OutboxStore.DueDeliveries] of events: room is asked for each destination, and busy gets
	// [delivery.Delivery.Key]. Those of one destination come in the order in which they are due.
	DueEvents(
		ctx context.Context, room func(destination string) int, busy func(key string) bool, now time.Time, limit int,
	) ([]delivery.Delivery, time.Time, error)
	// RecordEventTry records an attempt to deliver an event, and keeps its body for all further ones. Without further
	// attempts once the destination is removed or switched off. CodeConflict when the delivery is not pending. It keeps
	// the destination's health as [delivery.Destination.JudgeTry] defines it.
	RecordEventTry(
		ctx context.Context, orgID, destination, id string, t delivery.DeliveryTry, now time.Time,
	) (delivery.Delivery, error)
	// RedeliverEvent enqueues an ended delivery again; the audit entry delivery.redeliver names it. CodeConflict while it
	// is pending.
	RedeliverEvent(ctx context.Context, orgID, destination, id, actor string, now time.Time) (delivery.Delivery, error)
	// ReplayEvents enqueues the deliveries of a destination that r selects again, oldest first, [delivery.MaxReplay] at
	// most; one that waits for its next attempt is due at once. It returns their number and, if there may be more, the
	// time of the last one. The audit entry destination.replay names the destination; it is written first, since the
	// deliveries are changed in several transactions. CodeNotFound without the destination, CodeConflict for one that is
	// switched off.
	ReplayEvents(
		ctx context.Context, orgID, destination string, r delivery.EventReplay, actor string, now time.Time,
	) (queued int, more time.Time, err error)
	// FindEvent returns a delivery with the body that was sent, if any.
	FindEvent(ctx context.Context, orgID, destination, id string) (delivery.Delivery, error)
	// ListEvents lists the deliveries of a destination, newest first; an empty state lists all.
	ListEvents(
		ctx context.Context, orgID, destination string, state delivery.DeliveryState, limit int, cursor string,
	) (ListPage[delivery.Delivery], error)
	// ExpireEvents removes the deliveries that ended [delivery.KeepEvents] ago or earlier and returns their number.
	ExpireEvents(ctx context.Context, now time.Time) (int, error)
}

package records

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/delivery"
	"munadi/store/driver"
)

// destinationBoards are few and small: each event of an organization reads its board, which costs one read.
var destinationBoards = declareKind[delivery.DestinationBoard](
	driver.Table{Kind: "destinations", Name: "destinations", Key: []string{"org"}}, nil, nil)

// noDestination is the not-found error.
func noDestination(id string) error {
	return store.Errorf(store.CodeNotFound, "there is no destination %q", id)
}

// FindDestinations implements [store.DestinationStore].
func (s *Records) FindDestinations(ctx context.Context, orgID string) (delivery.DestinationBoard, error) {
	return findSetting(ctx, s, destinationBoards, orgID)
}

// ChangeDestinations implements [store.DestinationStore].
func (s *Records) ChangeDestinations(
	ctx context.Context, orgID string, change func(*delivery.DestinationBoard) (store.AuditEntry, error),
) error {
	return s.change(ctx, func(tx driver.Tx) (audited, error) {
		var entry store.AuditEntry
		_, err := changeSetting(tx, destinationBoards, orgID, func(b *delivery.DestinationBoard) (err error) {
			entry, err = change(b)
			return err
		})
		return audited{orgID, entry}, err
	})
}

// RemoveDestination implements [store.DestinationStore]. Deliveries that a crash leaves behind have no receiver: they
// fail and expire.
func (s *Records) RemoveDestination(
	ctx context.Context, orgID, id, actor string, now time.Time,
) (removed delivery.Destination, err error) {
	err = s.ChangeDestinations(ctx, orgID, func(b *delivery.DestinationBoard) (store.AuditEntry, error) {
		one, found := b.RemoveDestination(id)
		if !found {
			return store.AuditEntry{}, noDestination(id)
		}
		removed = one
		return store.AuditEntry{At: now, Actor: actor, Action: "destination.delete", Subject: id, Note: one.Host()}, nil
	})
	if err != nil {
		return delivery.Destination{}, err
	}
	_, err = sweepKind(ctx, s.db, events, driver.Query{Equal: []any{orgID, id}}, dropEvent)
	return removed, err
}

// judgeDestination keeps the health of a destination after an attempt that ended at now, and reports whether it gets
// nothing any more. It locks the board only when that changes.
func judgeDestination(tx driver.Tx, orgID, id string, failed bool, now time.Time) (closed bool, err error) {
	board, _, err := destinationBoards.find(tx, orgID)
	if store.IsUnreadable(err) {
		return false, nil // attempts fail until it is mended
	}
	one := board.FindDestination(id)
	if err != nil || one == nil {
		return true, err
	}
	if _, changes := one.JudgeTry(failed, now); !changes || !one.Enabled {
		return !one.Enabled, nil
	}
	_, err = changeSetting(tx, destinationBoards, orgID, func(b *delivery.DestinationBoard) error {
		if one = b.FindDestination(id); one != nil {
			*one, _ = one.JudgeTry(failed, now)
		}
		return nil
	})
	return one == nil || !one.Enabled, store.IgnoreMissing(err)
}

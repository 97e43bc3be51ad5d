package store

import (
	"context"

	"munadi/store/alert"
	"munadi/store/delivery"
)

// AlertStore stores the alerts of the organizations, and the queue of their e-mails.
type AlertStore interface {
	// FindAlerts returns an organization's alerts; the zero board when it never had any.
	FindAlerts(ctx context.Context, orgID string) (alert.AlertBoard, error)
	// ChangeAlerts is a read-modify-write of an organization's alerts in one transaction, so that of several appliances
	// only one raises, clears and mails; it returns the new board. The effects that change returns are written in the
	// same transaction. change may be called again; its error is returned unchanged and leaves the board unchanged.
	// CodeNotFound without the organization.
	ChangeAlerts(
		ctx context.Context, orgID string, change func(*alert.AlertBoard) (AlertEffects, error),
	) (alert.AlertBoard, error)
}

// AlertEffects are the records that a change of alerts writes in addition to the board.
type AlertEffects struct {
	Deliveries []delivery.Delivery // notifications for the outbox (transactional outbox)
	Audit      *AuditEntry         // of a change that a person made
}

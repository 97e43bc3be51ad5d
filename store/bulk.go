package store

import (
	"context"

	"munadi/store/bulk"
)

// BulkStore stores the bulk changes of the organizations.
type BulkStore interface {
	// FindBulk returns an organization's bulk changes; the zero board when it never had any.
	FindBulk(ctx context.Context, orgID string) (bulk.BulkBoard, error)
	// ChangeBulk is a read-modify-write of an organization's bulk changes in one transaction, so that of several
	// appliances only one claims a batch; it returns the new board. change may be called again; its error is returned
	// unchanged and leaves the board unchanged. CodeNotFound without the organization.
	ChangeBulk(ctx context.Context, orgID string, change func(*bulk.BulkBoard) error) (bulk.BulkBoard, error)
	// PendingBulk lists the organizations that have a bulk change that waits or runs, by id.
	PendingBulk(ctx context.Context) ([]string, error)
}

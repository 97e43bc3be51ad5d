package store

import (
	"context"
	"time"

	"munadi/store/siptrunk"
)

// TrunkStore stores the SIP trunks that were set in the console. The installation uses those of the organization
// [account.Default], which administers it.
type TrunkStore interface {
	// FindTrunks returns an organization's trunks; none when it never set any.
	FindTrunks(ctx context.Context, orgID string) (siptrunk.Setting, error)
	// ChangeTrunks is a read-modify-write of the trunks in one transaction; change may be called again, and its error is
	// returned unchanged. CodeNotFound without the organization. Audit entry: trunks.put, with the names.
	ChangeTrunks(
		ctx context.Context, orgID, actor string, now time.Time, change func(*siptrunk.Setting) error,
	) error
}

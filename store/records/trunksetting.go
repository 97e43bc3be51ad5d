package records

import (
	"context"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/siptrunk"
)

var trunkSettings = declareKind[siptrunk.Setting](
	driver.Table{Kind: "trunks", Name: "trunk_settings", Key: []string{"org"}}, nil, nil)

// FindTrunks implements [store.TrunkStore].
func (s *Records) FindTrunks(ctx context.Context, orgID string) (siptrunk.Setting, error) {
	return findSetting(ctx, s, trunkSettings, orgID)
}

// ChangeTrunks implements [store.TrunkStore].
func (s *Records) ChangeTrunks(
	ctx context.Context, orgID, actor string, now time.Time, change func(*siptrunk.Setting) error,
) error {
	return s.change(ctx, func(tx driver.Tx) (audited, error) {
		after, err := changeSetting(tx, trunkSettings, orgID, func(kept *siptrunk.Setting) error {
			if err := change(kept); err != nil {
				return err
			}
			kept.UpdatedAt = now
			return nil
		})
		names := make([]string, len(after.Trunks))
		for i, t := range after.Trunks {
			names[i] = t.Name
		}
		return audited{orgID, store.AuditEntry{
			At: now, Actor: actor, Action: "trunks.put", Subject: "SIP trunks", Note: strings.Join(names, " "),
		}}, err
	})
}

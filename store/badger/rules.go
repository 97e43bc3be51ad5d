package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/callrules"
	"munadi/store/record"
)

// FindRules implements [store.CallRulesStore].
func (s *BadgerStore) FindRules(ctx context.Context, orgID string) (callrules.CallRules, error) {
	var r callrules.CallRules
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		if !isKeyPart(orgID) {
			return nil
		}
		_, err := v.getRecord(joinKey(kindRules, orgID), &r)
		return err
	})
	return r, err
}

// ChangeRules implements [store.CallRulesStore]. It wakes the scheduler, since due calls may have become allowed.
func (s *BadgerStore) ChangeRules(
	ctx context.Context, orgID, actor string, now time.Time, change func(*callrules.CallRules) error,
) error {
	return s.updateTx(ctx, func(e writeTx) error {
		if err := e.needOrganization(orgID); err != nil {
			return err
		}
		var r callrules.CallRules
		if _, err := e.getRecord(joinKey(kindRules, orgID), &r); err != nil {
			return err
		}
		note, err := record.ChangeRules(&r, change, now)
		if err != nil {
			return err
		}
		e.putRecord(joinKey(kindRules, orgID), r)
		e.touchKind(store.CallsChanged)
		return e.addAudit(orgID, store.AuditEntry{At: now, Actor: actor, Action: "rules.put", Subject: "rules", Note: note})
	})
}

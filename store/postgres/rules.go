package postgres

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/callrules"
	"munadi/store/record"
)

var rules = tableOf[callrules.CallRules]{name: "rules", keys: []string{"org"}}

// FindRules implements [store.CallRulesStore].
func (s *PostgresStore) FindRules(ctx context.Context, orgID string) (r callrules.CallRules, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		r, _, err = rules.find(e, orgID)
		return err
	})
	return r, err
}

// ChangeRules implements [store.CallRulesStore]. It wakes the schedulers, since due calls may have become allowed.
func (s *PostgresStore) ChangeRules(
	ctx context.Context, orgID, actor string, now time.Time, change func(*callrules.CallRules) error,
) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		if err := lockOrganization(e, orgID); err != nil {
			return err
		}
		r, _, err := rules.find(e, orgID)
		if err != nil {
			return err
		}
		note, err := record.ChangeRules(&r, change, now)
		if err != nil {
			return err
		}
		rules.put(e, r, orgID)
		e.touchKind(store.CallsChanged)
		addAudit(e, orgID, store.AuditEntry{At: now, Actor: actor, Action: "rules.put", Subject: "rules", Note: note})
		return nil
	})
}

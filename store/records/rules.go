package records

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/callrules"
	"munadi/store/driver"
	"munadi/store/record"
)

var rules = declareKind[callrules.CallRules](
	driver.Table{Kind: "rules", Name: "rules", Key: []string{"org"}}, nil, nil)

// FindRules implements [store.CallRulesStore].
func (s *Records) FindRules(ctx context.Context, orgID string) (callrules.CallRules, error) {
	return findSetting(ctx, s, rules, orgID)
}

// RulesOf returns an organization's dialling rules in a transaction.
func RulesOf(tx driver.Tx, orgID string) (callrules.CallRules, error) {
	r, _, err := rules.find(tx, orgID)
	return r, err
}

// ChangeRules implements [store.CallRulesStore]. It wakes the schedulers, since due calls may have become allowed.
func (s *Records) ChangeRules(
	ctx context.Context, orgID, actor string, now time.Time, change func(*callrules.CallRules) error,
) error {
	return s.change(ctx, func(tx driver.Tx) (audited, error) {
		entry := store.AuditEntry{At: now, Actor: actor, Action: "rules.put", Subject: "rules"}
		_, err := changeSetting(tx, rules, orgID, func(r *callrules.CallRules) (err error) {
			entry.Note, err = record.ChangeRules(r, change, now)
			return err
		})
		tx.Announce(store.CallsChanged)
		return audited{orgID, entry}, err
	})
}

package records

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"munadi/store"
	"munadi/store/call"
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

// rulesOf returns an organization's dialling rules in a transaction.
func rulesOf(tx driver.Tx, orgID string) (callrules.CallRules, error) {
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

// rulesKept are the dialling rules under which calls were dialled, each once.
var rulesKept = declareKind[callrules.CallRules](
	driver.Table{Kind: "rules-kept", Name: "rules_kept", Key: []string{"org", "sum"}}, nil,
	func([]string) error { return store.Errorf(store.CodeNotFound, "these dialling rules are not kept") })

// FindKeptRules implements [store.CallRulesStore].
func (s *Records) FindKeptRules(ctx context.Context, orgID, sum string) (callrules.CallRules, error) {
	return read(ctx, s, func(tx driver.Tx) (callrules.CallRules, error) { return rulesKept.need(tx, orgID, sum) })
}

// keepDialFacts returns what is in force when a call is dialled, and keeps the rules. What can't be read does not keep
// a call waiting that the scheduler has checked: nothing is known of it then.
func keepDialFacts(tx driver.Tx, c call.Call, now time.Time) (*call.DialFacts, error) {
	inForce, err := rulesOf(tx, c.OrgID)
	if err != nil {
		return nil, store.IgnoreMissing(err)
	}
	suppressed, err := activeSuppression(tx, c.OrgID, c.PhoneNumber, now)
	if err != nil {
		return nil, store.IgnoreMissing(err)
	}
	sum, text, err := sumRules(inForce)
	if err != nil {
		return nil, err
	}
	facts := call.DialFacts{At: now, Rules: sum, Suppressed: suppressed != nil}
	key := []string{c.OrgID, facts.Rules}
	_, known, err := tx.Get(rulesKept.Table, key, driver.NoLock)
	if err == nil && !known {
		_, err = tx.Insert(rulesKept.Table, driver.Row{Key: key, Raw: text})
	}
	return &facts, store.IgnoreMissing(err)
}

// sumRules returns the hash under which rules are kept, and the form in which they are.
func sumRules(r callrules.CallRules) (sum string, text []byte, err error) {
	if text, err = json.Marshal(r); err != nil {
		return "", nil, err
	}
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:]), text, nil
}

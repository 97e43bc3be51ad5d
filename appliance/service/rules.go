package service

import (
	"context"
	"time"

	"munadi/store/callrules"
)

// ReplaceRules replaces the calling rules of the organization; found are violations of the request. The kill switch is
// not changed: a client that does not know the field must not resume calling.
func (u *UseCases) ReplaceRules(
	ctx context.Context, who Caller, rules callrules.CallRules, found FieldViolations,
	seen Precondition[callrules.CallRules],
) (callrules.CallRules, error) {
	found.AddAll(callrules.CheckRules(rules))
	if err := violationError(found...); err != nil {
		return rules, err
	}
	return u.changeRules(ctx, who, seen, func(kept callrules.CallRules) (callrules.CallRules, error) {
		rules.KillSwitch = kept.KillSwitch
		return rules, nil
	})
}

// PatchRules changes the calling rules by a function of the current ones, which may be called again.
func (u *UseCases) PatchRules(
	ctx context.Context, who Caller, seen Precondition[callrules.CallRules],
	change func(kept callrules.CallRules) (callrules.CallRules, FieldViolations, error),
) (callrules.CallRules, error) {
	return u.changeRules(ctx, who, seen, func(kept callrules.CallRules) (callrules.CallRules, error) {
		rules, found, err := change(kept)
		if err != nil {
			return kept, err
		}
		found.AddAll(callrules.CheckRules(rules))
		return rules, violationError(found...)
	})
}

// SetKillSwitch stops calling (no new call is dialled), or resumes it.
func (u *UseCases) SetKillSwitch(ctx context.Context, who Caller, stopped bool) error {
	_, err := u.changeRules(ctx, who, nil, func(kept callrules.CallRules) (callrules.CallRules, error) {
		kept.KillSwitch = stopped
		return kept, nil
	})
	return err
}

// changeRules is a read-modify-write of the rules in one transaction, so that no concurrent change is lost.
func (u *UseCases) changeRules(
	ctx context.Context, who Caller, seen Precondition[callrules.CallRules],
	change func(callrules.CallRules) (callrules.CallRules, error),
) (after callrules.CallRules, err error) {
	now := u.now().Truncate(time.Millisecond)
	err = u.Store.ChangeRules(ctx, who.OrgID, who.Actor, now, func(kept *callrules.CallRules) (err error) {
		if err = seen.check(*kept); err != nil {
			return err
		}
		if after, err = change(*kept); err == nil {
			after.UpdatedAt = now
			*kept = after
		}
		return err
	})
	return after, err
}

package scenariocheck

import (
	"context"
	"errors"
	"fmt"
	"time"

	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// TransferChecker checks the targets of transfers against an organization's calling rules and suppression list: when a
// scenario is saved, and again when a call reaches the step.
type TransferChecker struct {
	Store interface {
		FindRules(ctx context.Context, orgID string) (callrules.CallRules, error)
		FindSuppression(ctx context.Context, orgID, number string, now time.Time) (*callrules.SuppressionEntry, error)
	}
	Now func() time.Time
}

// CheckTransfer returns why a call of the organization may not be transferred to a target; nil if it may. A target
// whose rules cannot be read is refused.
func (c *TransferChecker) CheckTransfer(ctx context.Context, orgID string, to callrules.TransferTarget) error {
	refusal, err := c.findRefusal(ctx, orgID, to)
	if err != nil {
		return errors.New("could not be checked against the calling rules: the database does not answer")
	}
	return refusal
}

func (c *TransferChecker) findRefusal(
	ctx context.Context, orgID string, to callrules.TransferTarget,
) (refusal, err error) {
	if to.Number == "" {
		return nil, nil
	}
	rules, err := c.Store.FindRules(ctx, orgID)
	if err != nil {
		return nil, err
	}
	entry, err := c.Store.FindSuppression(ctx, orgID, to.Number, c.Now())
	return rules.CheckTransfer(to.Number, entry), err
}

// checkScenario checks the transfers of a scenario. A target with placeholders is checked during the call.
func (c *TransferChecker) checkScenario(
	ctx context.Context, s scenario.Scenario,
) (faults []strictjson.Violation, err error) {
	for i, step := range s.Steps {
		if step.Type != scenario.Transfer {
			continue
		}
		for k, target := range step.TransferTargets() {
			refusal, err := c.checkTarget(ctx, s.OrgID, target)
			if err != nil {
				return nil, err
			}
			field := fmt.Sprintf("steps.%d.to", i)
			if len(step.Targets) > 0 {
				field = fmt.Sprintf("steps.%d.targets.%d", i, k)
			}
			if refusal != nil {
				faults = append(faults, strictjson.Violation{Field: field, Message: refusal.Error()})
			}
		}
	}
	return faults, nil
}

// checkTarget checks one target of a scenario.
func (c *TransferChecker) checkTarget(ctx context.Context, orgID, target string) (refusal, err error) {
	if !scenario.IsFixed(target) {
		return nil, nil
	}
	to, refusal := callrules.ParseTransfer(target)
	if refusal != nil {
		return refusal, nil
	}
	return c.findRefusal(ctx, orgID, to)
}

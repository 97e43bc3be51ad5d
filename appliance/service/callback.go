package service

import (
	"context"
	"fmt"
	"strings"
	"time"

	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/strictjson"
)

// Why a call-back is refused now; the reasons of the violation in its [*ConflictError], besides those of calls that are
// stopped at their release.
const (
	KillSwitchOn strictjson.Reason = "kill_switch"
	NoNumber     strictjson.Reason = "no_number"
)

// CallBack books a call by which staff talk with the person of a call: the extension, a number or SIP address, is rung
// first, then the person, and both are joined. It begins at once or never, since somebody waits for it, and is not
// repeated. [*ConflictError] if the dialling rules forbid a call to the person now; violations of the extension.
func (u *UseCases) CallBack(
	ctx context.Context, who Caller, id, extension string, broken FieldViolations,
) (call.Call, error) {
	of, err := u.FindCall(ctx, who.OrgID, id)
	if err != nil {
		return of, err
	}
	rules, err := u.Store.FindRules(ctx, who.OrgID)
	if err != nil {
		return of, err
	}
	now := u.now()
	to, err := u.checkExtension(ctx, who.OrgID, strings.TrimSpace(extension), rules, &broken)
	if err == nil {
		err = violationError(broken...)
	}
	if err == nil {
		err = u.checkCallBack(ctx, of, rules, now)
	}
	if err != nil {
		return of, err
	}
	booked := newCall(call.Call{
		OrgID: who.OrgID, PhoneNumber: of.PhoneNumber, ScenarioID: call.CallBackScenario, Staff: to.String(),
		Variables: nameOf(of), NameVariable: of.NameVariable, Booking: call.Immediate, CreatedAt: now, ScheduledAt: now,
	}, call.RetryPlan{MaxAttempts: 1})
	booked.Attempt.PreviousID = &of.ID
	_, err = u.Store.BookCall(ctx, booked, who.Actor, nil)
	return booked, err
}

// nameOf returns the variable that holds the person's name; nil without one.
func nameOf(c call.Call) map[string]any {
	name, ok := c.Variables[c.NameVariable]
	if !ok {
		return nil
	}
	return map[string]any{c.NameVariable: name}
}

// checkExtension parses where a member of staff is rung. A number obeys the dialling rules, as that of a transfer.
func (u *UseCases) checkExtension(
	ctx context.Context, orgID, extension string, rules callrules.CallRules, found *FieldViolations,
) (to callrules.TransferTarget, err error) {
	if extension == "" {
		found.AddViolation("extension", "is required: the number or SIP address of the member of staff")
		return to, nil
	}
	to, fault := callrules.ParseTransfer(extension)
	if fault == nil && to.Number != "" {
		var entry *callrules.SuppressionEntry
		if entry, err = u.Store.FindSuppression(ctx, orgID, to.Number, u.now()); err != nil {
			return to, err
		}
		fault = rules.CheckTransfer(to.Number, entry)
	}
	if fault != nil {
		found.AddViolation("extension", "%v", fault)
	}
	return to, nil
}

// checkCallBack refuses a call to a person that could not begin now.
func (u *UseCases) checkCallBack(ctx context.Context, of call.Call, rules callrules.CallRules, now time.Time) error {
	if of.PhoneNumber == "" {
		return refuseCallBack(NoNumber)
	}
	facts := callrules.CallFacts{Number: of.PhoneNumber}
	var err error
	if facts.Suppressed, err = u.Store.FindSuppression(ctx, of.OrgID, of.PhoneNumber, now); err != nil {
		return err
	}
	midnight := callrules.LocalMidnight(rules, now)
	if facts.Today, err = u.Store.CountAttempts(ctx, of.OrgID, of.PhoneNumber, midnight, now); err != nil {
		return err
	}
	if facts.Week, err = u.Store.CountAttempts(ctx, of.OrgID, of.PhoneNumber, now.Add(-callrules.Week), now); err != nil {
		return err
	}
	switch d := callrules.DecideCall(rules, facts, now); d.Action {
	case callrules.Wait:
		return refuseCallBack(KillSwitchOn)
	case callrules.Postpone:
		return refuseCallBack(ClosedHours)
	case callrules.Stop:
		return refuseCallBack(strictjson.Reason(d.Reason))
	}
	return nil
}

// refuseCallBack returns the error of a call-back that is not possible now.
func refuseCallBack(why strictjson.Reason) error {
	said := map[strictjson.Reason]string{
		KillSwitchOn: "the kill switch is on", NoNumber: "the call has no number, or its person was erased",
		ClosedHours:                                "it is outside the calling hours",
		strictjson.Reason(call.Suppressed):         "the number is on the suppression list",
		strictjson.Reason(call.BlockedDestination): "the dialling rules do not allow the number",
		strictjson.Reason(call.AttemptLimit):       "the number was called as often as the dialling rules allow",
	}[why]
	return &ConflictError{
		Reason: StateForbidden, Message: fmt.Sprintf("The person cannot be called now: %s", said),
		Violations: FieldViolations{{Field: "phone_number", Reason: why, Message: said}},
	}
}

package service

import (
	"context"
	"net/http"
	"strings"

	"munadi/store/callrules"
	"munadi/store/scenario"
)

// TalkRequest is a scenario that a person talks to in a browser: a trial by voice. Actor is who does, as in the audit
// log.
type TalkRequest struct {
	OrgID     string
	Actor     string
	Scenario  scenario.Scenario
	Variables map[string]any
}

// TalkFunc holds such a conversation over a WebSocket, to its end. Its error is that too many are open, before the
// upgrade.
type TalkFunc func(w http.ResponseWriter, r *http.Request, q TalkRequest) error

// RingFunc holds such a conversation over a call to a member of staff or a simulated person, in the background, and
// returns the trial's id. A [*ConflictError] says that there is no line.
type RingFunc func(ctx context.Context, q TalkRequest, to callrules.TransferTarget) (id string, err error)

// FindTrialPhone parses the number or SIP address at which a member of staff tries a scenario by telephone. A number
// obeys the dialling rules: suppression, allowed numbers, calling hours; an extension has no hours. The kill switch
// stops both. Violations are of the extension.
func (u *UseCases) FindTrialPhone(
	ctx context.Context, orgID, extension string,
) (to callrules.TransferTarget, err error) {
	rules, err := u.Store.FindRules(ctx, orgID)
	if err != nil {
		return to, err
	}
	var broken FieldViolations
	if to, err = u.checkExtension(ctx, orgID, strings.TrimSpace(extension), rules, &broken); err == nil {
		err = violationError(broken...)
	}
	if err != nil {
		return to, err
	}
	now := u.now()
	open, ok := callrules.NextOpen(rules, nil, "", now)
	switch {
	case rules.KillSwitch:
		return to, refuseCallBack(KillSwitchOn)
	case to.Number != "" && (!ok || open.After(now)):
		return to, refuseCallBack(ClosedHours)
	}
	return to, nil
}

// CheckTalk returns a [*ConflictError] for a draft that has faults, to which nobody can talk.
func CheckTalk(ctx context.Context, plan scenario.Scenario) error {
	if len(scenario.CheckScenario(ctx, plan)) > 0 {
		return &ConflictError{Reason: StateForbidden, Message: "the draft has faults; mend them in the editor first"}
	}
	return nil
}

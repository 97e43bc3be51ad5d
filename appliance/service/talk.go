package service

import (
	"context"
	"net/http"

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

// CheckTalk returns a [*ConflictError] for a draft that has faults, to which nobody can talk.
func CheckTalk(ctx context.Context, plan scenario.Scenario) error {
	if len(scenario.CheckScenario(ctx, plan)) > 0 {
		return &ConflictError{Reason: StateForbidden, Message: "the draft has faults; mend them in the editor first"}
	}
	return nil
}

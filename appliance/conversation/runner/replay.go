package runner

import (
	"context"

	"munadi/appliance/conversation"
	"munadi/appliance/conversation/rehearsal"
	"munadi/appliance/recognizer"
	"munadi/engine"
)

// ReplayCall holds the conversation of a recorded call again, by the organization's rules and the voices of today, with
// a recognizer; nil is the one that serves. What no voice can speak is left out, as in a call. Language models and
// tools are not asked.
func (r *ConversationRunner) ReplayCall(
	ctx context.Context, q rehearsal.Request, ears *recognizer.Recognizer,
) (rehearsal.Outcome, error) {
	deps, err := r.rehearsalOf(ctx, q.OrgID)
	if err != nil {
		return rehearsal.Outcome{}, err
	}
	deps.Chat, deps.Tools, deps.Voices = nil, nil, r.Voices
	if ears != nil {
		deps.Listen = func() (conversation.StreamRecognizer, error) { return OpenBackground(ears) }
	}
	return rehearsal.RunRehearsal(engine.WithClient(ctx, engine.ClientID{Organization: q.OrgID}), deps, q)
}

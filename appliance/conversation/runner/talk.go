package runner

import (
	"context"
	"errors"
	"time"

	"munadi/appliance/browsercall"
	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/engine"
	"munadi/store/call"
)

// talkPartials is how often the person at a browser sees what was recognized so far.
const talkPartials = 300 * time.Millisecond

// HoldTalk holds a scenario's conversation over a line that is no call: by the organization's rules, without a
// recording, and nothing is stored.
func (r *ConversationRunner) HoldTalk(
	ctx context.Context, line carrier.Line, q browsercall.Request, o browsercall.Observer,
) (browsercall.Outcome, error) {
	rules, err := r.FindRules(ctx, q.OrgID)
	if err != nil {
		return browsercall.Outcome{}, err
	}
	ctx = engine.WithClient(ctx, engine.ClientID{Organization: q.OrgID})
	stream, err := r.Recognizer.OpenStream(engine.StreamOptions{Onset: true})
	if err != nil {
		return browsercall.Outcome{}, err
	}
	in := newInput(call.Call{OrgID: q.OrgID, Variables: q.Variables}, q.Scenario, rules, false)
	in.MayCallBack = true
	deps := r.dependenciesOf(q.OrgID, "organization", q.OrgID, "trial", q.Scenario.ID)
	deps.Line, deps.Hear = line, publishedStream{stream, talkPublisher{o.OnPartial}}
	deps.OnMessage, deps.OnSlot, deps.OnStep = o.OnMessage, o.OnSlot, o.OnStep
	out, err := conversation.RunConversation(ctx, deps, in)
	if errors.Is(err, carrier.ErrHungUp) {
		err = nil
	}
	return browsercall.Outcome{Status: out.Status, Report: out.Report}, err
}

// talkPublisher shows partial results to the person who speaks.
type talkPublisher struct{ show func(text string) }

// PartialInterval implements [partialPublisher].
func (talkPublisher) PartialInterval() time.Duration { return talkPartials }

// PublishPartial implements [partialPublisher].
func (p talkPublisher) PublishPartial(_, _ float64, text string) { p.show(text) }

// PublishNoWords implements [partialPublisher].
func (p talkPublisher) PublishNoWords() { p.show("") }

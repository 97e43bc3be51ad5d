package runner

import (
	"time"

	"munadi/appliance/conversation"
	"munadi/appliance/dialer"
	"munadi/appliance/recognizer"
)

// talkPartials is how often the person at a browser sees what was recognized so far.
const talkPartials = 300 * time.Millisecond

// observeTrial shows a trial to the person who holds it, and to nobody else.
func observeTrial(deps *conversation.Dependencies, c dialer.ConversationInput, stream *recognizer.LiveStream) {
	deps.Line, deps.Hear = c.Line, publishedStream{stream, talkPublisher{c.Watch.OnPartial}, c.Rules.Redact}
	deps.OnMessage, deps.OnSlot, deps.OnStep = c.Watch.OnMessage, c.Watch.OnSlot, c.Watch.OnStep
}

// talkPublisher shows partial results to the person who speaks.
type talkPublisher struct{ show func(text string) }

// PartialInterval implements [partialPublisher].
func (p talkPublisher) PartialInterval() time.Duration {
	if p.show == nil {
		return 0
	}
	return talkPartials
}

// PublishPartial implements [partialPublisher].
func (p talkPublisher) PublishPartial(_, _ float64, text string) {
	if p.show != nil {
		p.show(text)
	}
}

// PublishNoWords implements [partialPublisher].
func (p talkPublisher) PublishNoWords() {
	p.PublishPartial(0, 0, "")
}

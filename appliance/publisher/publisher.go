// Package publisher publishes the progress of calls to their viewers and listeners, by server-sent events: states,
// messages, slots, partial transcripts, the waveform and the audio.
package publisher

import (
	"context"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/ssehub"
	"munadi/store/call"
)

// partialEvery is the interval between two partial transcripts of a turn.
const partialEvery = 500 * time.Millisecond

// PublishingDialer publishes each state change of an attempt to the SSE hub.
type PublishingDialer struct {
	CallDialer
	Store     CallFinder
	Hubs      Hubs
	CountCall func(status string) // counts ended calls by status for the metrics
}

// CallDialer makes one attempt and stores its outcome.
type CallDialer interface {
	Run(ctx context.Context, c call.Call) error
	Receive(ctx context.Context, c call.Call, in carrier.IncomingCall, closed string) error
}

// CallFinder reads a call's record.
type CallFinder interface {
	FindCall(ctx context.Context, orgID, id string) (call.Call, error)
}

// Hubs are where viewers and listeners join the topics of calls.
type Hubs struct {
	Events *ssehub.EventHub
	Sound  *ssehub.SoundHub
}

// PublishBulk tells the viewers of an organization's calls that a bulk change has begun, progressed or ended.
func (h Hubs) PublishBulk(orgID, id string) {
	h.Events.PublishTransient(callsTopic(orgID), "bulk", map[string]string{"id": id})
}

// PublishReplay tells the viewers of a replay that it has progressed or ended.
func (h Hubs) PublishReplay(orgID, id string) {
	h.Events.PublishTransient(ssehub.EventTopic{OrgID: orgID, Name: "replay/" + id}, "replay", map[string]string{"id": id})
}

// callsTopic is the topic of all calls of an organization.
func callsTopic(orgID string) ssehub.EventTopic {
	return ssehub.EventTopic{OrgID: orgID, Name: "calls"}
}

// Run implements [scheduler.CallDialer].
func (d *PublishingDialer) Run(ctx context.Context, c call.Call) error {
	return d.PublishAttempt(ctx, c, func() error { return d.CallDialer.Run(ctx, c) })
}

// Receive answers an inbound call.
func (d *PublishingDialer) Receive(ctx context.Context, c call.Call, in carrier.IncomingCall, closed string) error {
	return d.PublishAttempt(ctx, c, func() error { return d.CallDialer.Receive(ctx, c, in, closed) })
}

// PublishAttempt publishes the beginning and the end of an attempt.
func (d *PublishingDialer) PublishAttempt(ctx context.Context, c call.Call, attempt func() error) error {
	p := NewCallPublisher(d.Hubs, c)
	p.PublishState(call.Dialing)
	err := attempt()
	status := call.Failed
	if ended, lost := d.Store.FindCall(context.WithoutCancel(ctx), c.OrgID, c.ID); lost == nil {
		status = ended.Status
	}
	p.PublishEnd(status)
	if status.IsFinal() && !c.Trial { // else it was rescheduled and is dialled again later
		d.CountCall(string(status))
	}
	return err
}

// CallPublisher publishes the events of a call.
type CallPublisher struct {
	Form func(text string) string // of what the platform says; nil: as it is spoken

	hubs  Hubs
	topic ssehub.EventTopic // the call
	list  ssehub.EventTopic // all calls of its organization
	id    string
	trial bool // is in no list of calls
}

// NewCallPublisher returns the publisher of a call.
func NewCallPublisher(hubs Hubs, c call.Call) *CallPublisher {
	return &CallPublisher{
		hubs: hubs, topic: ssehub.EventTopic{OrgID: c.OrgID, Name: "call/" + c.ID}, list: callsTopic(c.OrgID), id: c.ID,
		trial: c.Trial,
	}
}

// PublishState publishes the call's status to the viewers of the call and of the list.
func (p *CallPublisher) PublishState(status call.CallStatus) {
	p.hubs.Events.PublishEvent(p.topic, "state", map[string]any{"status": status, "at": time.Now().UTC()})
	p.publishInList("state", map[string]any{"id": p.id, "status": status})
}

// publishInList publishes an event to the viewers of the list.
func (p *CallPublisher) publishInList(kind string, data map[string]any) {
	if !p.trial {
		p.hubs.Events.PublishTransient(p.list, kind, data)
	}
}

// PublishEnd publishes the last status of a call that no longer runs here, and ends its topic.
func (p *CallPublisher) PublishEnd(status call.CallStatus) {
	p.PublishState(status)
	p.hubs.Events.EndTopic(p.topic)
	p.hubs.Sound.StopTopic(p.topic)
}

// PublishMessage publishes a finished turn, to the viewers of the list too.
func (p *CallPublisher) PublishMessage(m call.Message) {
	p.hubs.Events.PublishEvent(p.topic, "message", m)
	p.publishInList("words", map[string]any{"id": p.id, "role": m.Role, "content": m.Content})
}

// PublishSlot publishes a slot's new value; null means removed.
func (p *CallPublisher) PublishSlot(name string, value any) {
	p.hubs.Events.PublishEvent(p.topic, "slot", map[string]any{"name": name, "value": value})
}

// PublishStaff publishes that a member of staff talks with the person from now on, or no longer.
func (p *CallPublisher) PublishStaff(on bool) {
	p.hubs.Events.PublishEvent(p.topic, "staff", map[string]any{"on": on})
}

// PublishPartial publishes the partial transcript of the person's current turn; the text may be empty.
func (p *CallPublisher) PublishPartial(start, end float64, text string) {
	p.hubs.Events.PublishEvent(p.topic, "partial", map[string]any{"start": start, "end": end, "text": text})
}

// PartialInterval returns how often partial transcripts are computed: 0, never, without viewers.
func (p *CallPublisher) PartialInterval() time.Duration {
	if p.hubs.Events.HasViewers(p.topic) {
		return partialEvery
	}
	return 0
}

// PublishSignalling publishes a SIP message of a call to its viewers.
func (h Hubs) PublishSignalling(c call.Call, m call.SIPMessage) {
	topic := ssehub.EventTopic{OrgID: c.OrgID, Name: "call/" + c.ID}
	h.Events.PublishEvent(topic, "sip", map[string]any{"at": m.At, "sent": m.Sent, "line": m.Line, "leg": m.Leg})
}

// PublishNoWords says that the current turn held no words.
func (p *CallPublisher) PublishNoWords() { p.hubs.Events.PublishEvent(p.topic, "nothing", struct{}{}) }

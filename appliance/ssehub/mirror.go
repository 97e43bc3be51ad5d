package ssehub

import (
	"github.com/r3labs/sse/v2"
)

// TopicRelay brings the events and audio of topics from other appliances. The hub tells it which topics have viewers
// and listeners here; the returned functions end a subscription.
type TopicRelay interface {
	FollowTopic(at EventTopic) (stop func())
	FollowSound(at EventTopic) (stop func())
}

// ForwardedEvent is an event of this appliance for a follower on another.
type ForwardedEvent struct {
	ID        string `json:"id,omitempty"` // empty for a transient event
	Kind      string `json:"kind"`
	Data      []byte `json:"data"`
	Transient bool   `json:"transient,omitempty"`
}

// topicFollower receives the events that this appliance publishes under a topic.
type topicFollower struct{ deliver func(ForwardedEvent) }

// SetRelay sets the relay. It must be called before the first viewer joins.
func (h *EventHub) SetRelay(r TopicRelay) { h.relay = r }

// FollowTopic calls deliver with the events of a topic: those after the event with the id after (a Reset and all events
// if that id is unknown), then each new one. deliver must not block, nor use the hub. A follower counts as a viewer.
func (h *EventHub) FollowTopic(at EventTopic, after string, deliver func(ForwardedEvent)) (stop func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t, f := h.topicOf(at), &topicFollower{deliver}
	t.holders++
	if t.followers == nil {
		t.followers = map[*topicFollower]struct{}{}
	}
	t.followers[f] = struct{}{}
	if !t.mirrored && len(t.events) > 0 {
		for _, e := range h.missedEvents(t, h.eventNumber(after)) {
			deliver(ForwardedEvent{ID: string(e.id), Kind: string(e.kind), Data: e.data})
		}
	}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(t.followers, f)
		h.releaseTopic(at, t)
	}
}

// IsOwnTopic reports whether this appliance publishes a topic that has not ended.
func (h *EventHub) IsOwnTopic(at EventTopic) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[at]
	return t != nil && len(t.events) > 0 && !t.ended && !t.mirrored
}

// MirrorEvent sends an event of another appliance to the viewers here. Reset discards earlier mirrored events. Events
// of a topic that this appliance publishes are ignored.
func (h *EventHub) MirrorEvent(at EventTopic, kind string, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[at]
	if t == nil || h.closed || len(t.events) > 0 && !t.mirrored && !t.ended {
		return // the last viewer has left, or this appliance has taken the call over
	}
	if !t.mirrored || t.ended || kind == Reset {
		h.beginMirror(t)
	}
	switch kind {
	case Reset:
		return
	case End:
		h.endTopic(at, t)
	default:
		h.addEvent(t, kind, data)
	}
}

// beginMirror empties a topic for the events of another appliance. Its viewers get a Reset, and its numbers begin in a
// range that no earlier topic used.
func (h *EventHub) beginMirror(t *topicState) {
	if t.forgetTimer != nil {
		t.forgetTimer.Stop()
	}
	h.lastMirrorStart += numbersPerMirror
	t.firstNumber, t.events, t.ended, t.mirrored = h.lastMirrorStart, nil, false, true
	for v := range t.viewers {
		v.queueEvent(&sse.Event{ID: h.eventID(t.firstNumber - 1), Event: []byte(Reset), Data: []byte(`{}`)})
	}
}

// numbersPerMirror is the range of event numbers of a mirrored topic.
const numbersPerMirror = 1 << 24

// MirrorTransient sends a transient event of another appliance to the viewers here.
func (h *EventHub) MirrorTransient(at EventTopic, kind string, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.topics[at]; t != nil && !h.closed {
		h.sendTransient(t, kind, data)
	}
}

func (h *EventHub) sendTransient(t *topicState, kind string, data []byte) {
	for v := range t.viewers {
		v.queueEvent(&sse.Event{ID: h.eventID(t.firstNumber + len(t.events) - 1), Event: []byte(kind), Data: data})
	}
}

// forwardEvent delivers an event of this appliance to the followers.
func (t *topicState) forwardEvent(e ForwardedEvent) {
	for f := range t.followers {
		f.deliver(e)
	}
}

// followTopic subscribes the relay to a topic that has a viewer here.
func (h *EventHub) followTopic(at EventTopic) (stop func()) {
	if h.relay == nil {
		return func() {}
	}
	return h.relay.FollowTopic(at)
}

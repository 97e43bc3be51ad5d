package ssehub

import (
	"github.com/r3labs/sse/v2"
)

// TopicRelay brings the events and the audio of topics from other appliances: the hub reports which topics have viewers
// and listeners here. The returned functions end a subscription.
type TopicRelay interface {
	FollowTopic(at EventTopic) (stop func())
	FollowSound(at EventTopic) (stop func())
}

// ForwardedEvent is an event of this appliance for a follower elsewhere.
type ForwardedEvent struct {
	ID        string `json:"id,omitempty"` // empty for a transient one
	Kind      string `json:"kind"`
	Data      []byte `json:"data"`
	Transient bool   `json:"transient,omitempty"`
}

// topicFollower receives the events that this appliance publishes under a topic, and not those of others.
type topicFollower struct{ deliver func(ForwardedEvent) }

// SetRelay sets the relay; before the first viewer.
func (h *EventHub) SetRelay(r TopicRelay) { h.relay = r }

// FollowTopic calls deliver with the events of a topic: first those after the event of an id (of all, after a Reset,
// when the id is not known), then each new one. deliver must not block, nor use the hub. A follower counts as a viewer.
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

// MirrorEvent sends an event of another appliance to the viewers here. Reset discards earlier mirrored events. It is
// ignored for a topic that this appliance publishes.
func (h *EventHub) MirrorEvent(at EventTopic, kind string, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[at]
	if t == nil || h.closed || len(t.events) > 0 && !t.mirrored && !t.ended {
		return // the last viewer has gone, or the call has come here
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

// beginMirror empties a topic for the events of another appliance. Its viewers get a Reset, and its numbers begin where
// no earlier ones were.
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

// numbersPerMirror are the event numbers of each mirrored topic.
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

// forwardEvent gives an event of this appliance to the followers.
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

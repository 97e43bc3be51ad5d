package ssehub

import (
	"strconv"
	"time"

	"github.com/r3labs/sse/v2"
)

// topicState is the state of a topic, guarded by the hub's mutex.
type topicState struct {
	events      []bufferedEvent
	firstNumber int // number of events[0]
	ended       bool
	viewers     map[*eventViewer]struct{}
	// followers forward this appliance's events to other appliances.
	followers   map[*topicFollower]struct{}
	mirrored    bool // its events come from another appliance
	holders     int  // viewers and followers, also those that are joining or leaving
	forgetTimer *time.Timer
}

// bufferedEvent is an event in the replay buffer.
type bufferedEvent struct{ id, kind, data []byte }

// topicOf returns a topic, which is created if missing.
func (h *EventHub) topicOf(at EventTopic) *topicState {
	t := h.topics[at]
	if t == nil {
		t = &topicState{firstNumber: 1, viewers: map[*eventViewer]struct{}{}}
		h.topics[at] = t
	}
	return t
}

// restartTopic clears the replay buffer of an ended or mirrored topic, and continues its numbering.
func (h *EventHub) restartTopic(t *topicState) {
	if t.forgetTimer != nil {
		t.forgetTimer.Stop()
	}
	t.firstNumber += len(t.events)
	t.events, t.ended, t.mirrored = nil, false, false
}

func (h *EventHub) addEvent(t *topicState, kind string, body []byte) bufferedEvent {
	e := bufferedEvent{id: h.eventID(t.firstNumber + len(t.events)), kind: []byte(kind), data: body}
	if len(t.events) >= h.ReplayLimit {
		t.events = append(t.events[:0:0], t.events[len(t.events)-h.ReplayLimit/2:]...)
		t.firstNumber += h.ReplayLimit - h.ReplayLimit/2
	}
	t.events = append(t.events, e)
	for v := range t.viewers {
		v.queueEvent(&sse.Event{ID: e.id, Event: e.kind, Data: e.data})
	}
	return e
}

// eventID returns the SSE id of event n.
func (h *EventHub) eventID(n int) []byte { return []byte(h.epoch + "-" + strconv.Itoa(n)) }

// forgetTopic removes an ended topic, unless it was restarted.
func (h *EventHub) forgetTopic(at EventTopic, t *topicState) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.topics[at] != t || !t.ended {
		return
	}
	for v := range t.viewers {
		v.cancel()
	}
	if len(t.followers) > 0 {
		h.restartTopic(t) // the followers wait for the next event
		return
	}
	delete(h.topics, at)
}

// Package ssehub is the hub of server-sent events (SSE): it publishes events of calls and live sessions to browsers,
// with a replay buffer for each topic.
//
// Publishers publish under an [EventTopic] of an organization; viewers that join it first get its earlier events
// (replay), then new ones. Publishing never blocks or fails: a viewer that is too slow is dropped (backpressure),
// reconnects with Last-Event-ID, and gets the missed events. The package is independent of calls and pages.
//
// It is the only importer of r3labs/sse, and uses only its streams, which are created once and never removed, not its
// event log. Each stream is a seat for one viewer at a time, so that a stalled connection delays no other and viewers
// never see events of another topic. When all seats are taken, or half of them by one organization,
// [EventHub.ServeTopic] returns [ErrFull].
//
// Audio has too high a rate for events and has its own hub, see [SoundHub].
package ssehub

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/r3labs/sse/v2"
)

// EventTopic is a subject of events within an organization.
type EventTopic struct {
	OrgID string
	Name  string // "calls", "call/ID", "live/ID"
}

// Names of the events that the hub itself sends.
const (
	Reset = "reset" // discard earlier events: all known ones follow
	End   = "end"   // no events follow
)

// EventHub publishes events to viewers. It is safe for concurrent use.
type EventHub struct {
	HubOptions
	server *sse.Server
	epoch  string // prefix of event ids, which differs in each process
	relay  TopicRelay

	mu              sync.Mutex
	topics          map[EventTopic]*topicState
	seats           int // seats created so far
	freeSeats       []string
	takenSeats      map[string]int // used seats by organization
	viewerCount     uint64         // since the start
	lastMirrorStart int            // first event number of the last mirrored topic
	closed          bool
	done            chan struct{}
	busy            sync.WaitGroup // running viewers and the heartbeat
}

// NewHub returns a hub; [EventHub.Close] ends it.
func NewHub(o HubOptions) *EventHub {
	h := &EventHub{
		HubOptions: o.withDefaults(),
		epoch:      uuid.NewString()[:8],
		topics:     map[EventTopic]*topicState{},
		takenSeats: map[string]int{},
		done:       make(chan struct{}),
	}
	h.server = sse.New()
	h.server.AutoReplay, h.server.AutoStream, h.server.SplitData = false, false, true
	h.server.BufferSize = h.QueueSize
	h.busy.Go(h.sendHeartbeat)
	return h
}

// PublishEvent sends an event to a topic's viewers and adds it to the replay buffer; data is encoded as JSON. The first
// event creates the topic; a topic that has ended is restarted.
func (h *EventHub) PublishEvent(at EventTopic, kind string, data any) {
	body, err := json.Marshal(data)
	if err != nil {
		return // a value that cannot be encoded is dropped
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	t := h.topicOf(at)
	if t.ended || t.mirrored {
		h.restartTopic(t)
	}
	h.publishEvent(t, kind, body)
}

// publishEvent adds an event of this appliance.
func (h *EventHub) publishEvent(t *topicState, kind string, body []byte) {
	e := h.addEvent(t, kind, body)
	t.forwardEvent(ForwardedEvent{ID: string(e.id), Kind: kind, Data: body})
}

// PublishTransient is PublishEvent without the replay buffer.
func (h *EventHub) PublishTransient(at EventTopic, kind string, data any) {
	body, err := json.Marshal(data)
	if err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[at]
	if t == nil || h.closed {
		return
	}
	h.sendTransient(t, kind, body)
	t.forwardEvent(ForwardedEvent{Kind: kind, Data: body, Transient: true})
}

// EndTopic ends a topic with an End event. Its replay buffer is kept for Linger, for late viewers.
func (h *EventHub) EndTopic(at EventTopic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[at]
	if t == nil || t.ended || t.mirrored || h.closed {
		return
	}
	e := h.endTopic(at, t)
	t.forwardEvent(ForwardedEvent{ID: string(e.id), Kind: End, Data: e.data})
}

// endTopic adds an End event, and forgets the topic after Linger.
func (h *EventHub) endTopic(at EventTopic, t *topicState) bufferedEvent {
	e := h.addEvent(t, End, []byte(`{}`))
	t.ended = true
	t.forgetTimer = time.AfterFunc(h.Linger, func() { h.forgetTopic(at, t) })
	return e
}

// HasTopic reports whether a topic has events and has not ended.
func (h *EventHub) HasTopic(at EventTopic) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[at]
	return t != nil && len(t.events) > 0 && !t.ended
}

// LastEvents returns the data of a topic's latest events of a kind, oldest first, at most n.
func (h *EventHub) LastEvents(at EventTopic, kind string, n int) [][]byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	var found [][]byte
	if t := h.topics[at]; t != nil {
		for i := len(t.events) - 1; i >= 0 && len(found) < n; i-- {
			if string(t.events[i].kind) == kind {
				found = append(found, t.events[i].data)
			}
		}
	}
	slices.Reverse(found)
	return found
}

// HasViewers reports whether a topic has viewers, so that publishers can skip work that is only for them.
func (h *EventHub) HasViewers(at EventTopic) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[at]
	return t != nil && len(t.viewers)+len(t.followers) > 0
}

// sendHeartbeat sends a keep-alive to every viewer at each Heartbeat, which detects dead connections.
func (h *EventHub) sendHeartbeat() {
	tick := time.NewTicker(h.Heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			h.mu.Lock()
			for _, t := range h.topics {
				for v := range t.viewers {
					v.queueEvent(&sse.Event{})
				}
			}
			h.mu.Unlock()
		case <-h.done:
			return
		}
	}
}

// Close disconnects all viewers, waits for them, and ends the hub. Later events are dropped.
func (h *EventHub) Close() {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return
	}
	h.closed = true
	close(h.done)
	for _, t := range h.topics {
		if t.forgetTimer != nil {
			t.forgetTimer.Stop()
		}
		for v := range t.viewers {
			v.cancel()
		}
	}
	h.mu.Unlock()
	h.busy.Wait()
	h.server.Close()
}

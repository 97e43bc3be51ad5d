// Package ssehub tells browsers what happens now: the hub of everything that is watched live.
//
// Whoever makes something happen publishes it under a [EventTopic], an organization's own; whoever looks joins the topic and
// gets first what was published so far, then what comes, as server-sent events. Publishing never blocks and never
// fails: a viewer who does not keep up is dropped, comes back by itself with Last-Event-ID, and gets what it missed.
// The package knows neither calls nor pages.
//
// It is the only importer of r3labs/sse, of which it uses the part that holds: fixed streams that are never removed,
// without its log. Each stream is a seat for one viewer at a time, so that a stalled connection holds up nobody but
// itself, and one topic's viewers never see another's. When every seat is taken, or half of them by one organization,
// [EventHub.ServeTopic] says so.
//
// Sound is too much for events: it has a way of its own, see [SoundHub].
package ssehub

import (
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/r3labs/sse/v2"
)

// EventTopic is one thing that is watched, in an organization.
type EventTopic struct {
	OrgID string
	Name  string // "calls", "call/ID", "live/ID"
}

// The names of events that the hub itself sends.
const (
	Reset = "reset" // what follows is all that is known: what was seen before does not count
	End   = "end"   // nothing more will come
)

// HubOptions bound a hub; zero fields mean the defaults.
type HubOptions struct {
	Viewers   int           // at once; 1024
	Share     int           // of them that one organization may have; half
	Keep      int           // events of a topic for those who come later; 4096
	Linger    time.Duration // how long an ended topic is remembered; 1 minute
	Patience  time.Duration // for a viewer's connection to take an event; 10 s
	Heartbeat time.Duration // between signs of life; 15 s
	Age       time.Duration // of a viewer's connection, which then ends and is made again by the browser; 1 hour
	Buffer    int           // events on their way to a viewer; 512
}

func (o HubOptions) withDefaults() HubOptions {
	set := func(v *int, otherwise int) {
		if *v <= 0 {
			*v = otherwise
		}
	}
	wait := func(v *time.Duration, otherwise time.Duration) {
		if *v <= 0 {
			*v = otherwise
		}
	}
	set(&o.Viewers, 1024)
	set(&o.Share, (o.Viewers+1)/2)
	set(&o.Keep, 4096)
	set(&o.Buffer, 512)
	wait(&o.Linger, time.Minute)
	wait(&o.Patience, 10*time.Second)
	wait(&o.Heartbeat, 15*time.Second)
	wait(&o.Age, time.Hour)
	return o
}

// EventHub passes events on. It is safe for concurrent use.
type EventHub struct {
	HubOptions
	server *sse.Server
	epoch  string // of ids: those of another run of the appliance mean nothing

	mu     sync.Mutex
	topics map[EventTopic]*topicState
	seats  int            // that were ever taken
	free   []string       // those of them that nobody holds
	taken  map[string]int // seats that an organization holds
	marks  uint64         // viewers so far
	closed bool
	over   chan struct{}
	busy   sync.WaitGroup // viewers and the heartbeat
}

// topicState is what is known of one, guarded by the hub.
type topicState struct {
	log     []keptEvent
	first   int // number of log[0]
	ended   bool
	viewers map[*eventViewer]struct{}
	holders int // viewers, with those who are still coming or going
	forget  *time.Timer
}

// keptEvent is one published event.
type keptEvent struct{ id, kind, data []byte }

// NewHub is a hub; [EventHub.Close] ends it.
func NewHub(o HubOptions) *EventHub {
	h := &EventHub{
		HubOptions: o.withDefaults(), epoch: uuid.NewString()[:8], topics: map[EventTopic]*topicState{}, taken: map[string]int{},
		over: make(chan struct{}),
	}
	h.server = sse.New()
	h.server.AutoReplay, h.server.AutoStream, h.server.SplitData = false, false, true
	h.server.BufferSize = h.Buffer
	h.busy.Go(h.sendHeartbeat)
	return h
}

// PublishEvent tells a topic's viewers, and those who come later, that something happened: data becomes JSON. A topic
// begins with its first event; one that has ended begins anew.
func (h *EventHub) PublishEvent(at EventTopic, kind string, data any) {
	body, err := json.Marshal(data)
	if err != nil {
		return // a value that is no JSON is no event
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	t := h.topicOf(at)
	if t.ended {
		h.restartTopic(t)
	}
	h.addEvent(t, kind, body)
}

// PublishTransient is Publish for what only counts now: it is not kept for those who come later.
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
	for v := range t.viewers {
		v.queueEvent(&sse.Event{ID: h.eventID(t.first + len(t.log) - 1), Event: []byte(kind), Data: body})
	}
}

// EndTopic says that nothing more comes. The topic is remembered for a while, for those who come late.
func (h *EventHub) EndTopic(at EventTopic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[at]
	if t == nil || t.ended || h.closed {
		return
	}
	h.addEvent(t, End, []byte(`{}`))
	t.ended = true
	t.forget = time.AfterFunc(h.Linger, func() { h.forgetTopic(at, t) })
}

// HasTopic says whether anything is remembered of a topic.
func (h *EventHub) HasTopic(at EventTopic) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[at]
	return t != nil && len(t.log) > 0 && !t.ended
}

// HasViewers says whether anybody looks at a topic: what is made only to be looked at need not be made.
func (h *EventHub) HasViewers(at EventTopic) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[at]
	return t != nil && len(t.viewers) > 0
}

// topicOf finds or begins a topic.
func (h *EventHub) topicOf(at EventTopic) *topicState {
	t := h.topics[at]
	if t == nil {
		t = &topicState{first: 1, viewers: map[*eventViewer]struct{}{}}
		h.topics[at] = t
	}
	return t
}

// restartTopic forgets what an ended topic said, and goes on counting.
func (h *EventHub) restartTopic(t *topicState) {
	t.forget.Stop()
	t.first += len(t.log)
	t.log, t.ended = nil, false
}

func (h *EventHub) addEvent(t *topicState, kind string, body []byte) {
	e := keptEvent{id: h.eventID(t.first + len(t.log)), kind: []byte(kind), data: body}
	if len(t.log) >= h.Keep {
		t.log = append(t.log[:0:0], t.log[len(t.log)-h.Keep/2:]...)
		t.first += h.Keep - h.Keep/2
	}
	t.log = append(t.log, e)
	for v := range t.viewers {
		v.queueEvent(&sse.Event{ID: e.id, Event: e.kind, Data: e.data})
	}
}

// eventID is the n-th event's, as viewers see it.
func (h *EventHub) eventID(n int) []byte { return []byte(h.epoch + "-" + strconv.Itoa(n)) }

// forgetTopic forgets an ended topic, unless it began anew.
func (h *EventHub) forgetTopic(at EventTopic, t *topicState) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.topics[at] != t || !t.ended {
		return
	}
	for v := range t.viewers {
		v.cancel()
	}
	delete(h.topics, at)
}

// sendHeartbeat gives every viewer a sign of life now and then, which finds out the connections that are dead.
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
		case <-h.over:
			return
		}
	}
}

// Close sends every viewer away, waits until all have gone, and ends the hub. What is published later is lost.
func (h *EventHub) Close() {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return
	}
	h.closed = true
	close(h.over)
	for _, t := range h.topics {
		if t.forget != nil {
			t.forget.Stop()
		}
		for v := range t.viewers {
			v.cancel()
		}
	}
	h.mu.Unlock()
	h.busy.Wait()
	h.server.Close()
}

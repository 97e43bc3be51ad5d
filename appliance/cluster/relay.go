package cluster

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"time"

	"munadi/appliance/ssehub"
)

// Kinds of messages of the relay.
const (
	wantKind   = "want"   // wantMessage: topics that viewers of the sender follow
	eventsKind = "events" // []topicEvent
	soundKind  = "sound"  // soundMessage
)

// Times of the relay.
const (
	renewEvery = 3 * time.Second       // between two messages with all topics that are followed
	wantLasts  = 10 * time.Second      // time without renewal after which a topic is no longer forwarded
	sendEvery  = 50 * time.Millisecond // events within it share a message
	lostAfter  = 2 * time.Second       // time after which a sent event counts as lost
	askEvery   = time.Second           // between two questions for the events of a topic
)

// Limits of the relay.
const (
	mostWanted  = 4096 // topics that are followed for one appliance
	mostPending = 8192 // events that wait to be sent to one appliance
)

// topicEvent is an event of a topic.
type topicEvent struct {
	OrgID     string          `json:"org"`
	Name      string          `json:"name"`
	ID        string          `json:"id,omitempty"`
	Kind      string          `json:"kind"`
	Data      json.RawMessage `json:"data"`
	Transient bool            `json:"transient,omitempty"`
}

// EventRelay forwards the events and the audio of calls and live sessions between appliances: each to those that have
// viewers or listeners of it. Events of a topic are numbered; an appliance that missed one asks for those after the
// last that it has. It implements [ssehub.TopicRelay].
type EventRelay struct {
	messenger *Messenger
	events    *ssehub.EventHub
	sound     *ssehub.SoundHub
	wake      chan struct{} // events wait to be sent

	mu       sync.Mutex // never held while a hub is called, which calls back under its own lock
	wanted   map[ssehub.EventTopic]*wantedTopic
	followed map[followKey]*followedTopic
	pending  map[string][]topicEvent // by appliance
}

// followKey is a topic that another appliance follows.
type followKey struct {
	by string
	at ssehub.EventTopic
}

type followedTopic struct {
	until time.Time
	stop  func()
	last  string                // id of the last event that was queued
	since time.Time             // when it was
	sound *ssehub.SoundListener // nil: no listener
}

// NewRelay returns a relay between hubs, and subscribes to messages; [EventRelay.Run] runs it.
func NewRelay(m *Messenger, events *ssehub.EventHub, sound *ssehub.SoundHub) *EventRelay {
	r := &EventRelay{
		messenger: m, events: events, sound: sound, wake: make(chan struct{}, 1),
		wanted:   map[ssehub.EventTopic]*wantedTopic{},
		followed: map[followKey]*followedTopic{}, pending: map[string][]topicEvent{},
	}
	handleKind(m, wantKind, r.receiveWants)
	handleKind(m, eventsKind, r.receiveEvents)
	handleKind(m, soundKind, r.receiveSound)
	return r
}

// Run forwards events and renews subscriptions until ctx ends.
func (r *EventRelay) Run(ctx context.Context) error {
	renew := time.NewTicker(renewEvery)
	defer renew.Stop()
	defer r.dropFollowed(func(*followedTopic) bool { return true })
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-renew.C:
			r.sendWants()
			now := time.Now()
			r.dropFollowed(func(f *followedTopic) bool { return now.After(f.until) })
		case <-r.wake:
			r.sendPending()
			select {
			case <-ctx.Done():
			case <-time.After(sendEvery):
			}
		}
	}
}

// receiveEvents shows the events of another appliance to the viewers here.
func (r *EventRelay) receiveEvents(from string, all []topicEvent) {
	for _, e := range all {
		at := ssehub.EventTopic{OrgID: e.OrgID, Name: e.Name}
		switch {
		case e.Transient && r.isWanted(at):
			r.events.MirrorTransient(at, e.Kind, e.Data)
		case !e.Transient && r.takeNext(from, at, e):
			r.events.MirrorEvent(at, e.Kind, e.Data)
		}
	}
}

// takeNext reports whether an event is the next one of its topic. When others are missing before it, it asks for them.
func (r *EventRelay) takeNext(from string, at ssehub.EventTopic, e topicEvent) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.wanted[at]
	if w == nil || w.viewers == 0 {
		return false
	}
	step := eventDistance(w.last, e.ID)
	if e.Kind == ssehub.Reset || w.source == from && step == 1 {
		w.source, w.last = from, e.ID
		return true
	}
	if w.source == from && step <= 0 && step != unknownDistance || time.Since(w.asked) < askEvery {
		return false
	}
	w.asked = time.Now()
	entry := entryOf(at, w)
	entry.Again = true
	if w.source != from {
		entry.After = ""
	}
	r.messenger.sendKind(from, wantKind, wantMessage{Topics: []wantedEntry{entry}})
	return false
}

// unknownDistance is that of events that are not of the same topic and process.
const unknownDistance = -1 << 31

// eventDistance is how many events after another one an event is, by their ids EPOCH-NUMBER.
func eventDistance(from, to string) int {
	epoch, a, _ := strings.Cut(from, "-")
	other, b, _ := strings.Cut(to, "-")
	x, wrong := strconv.Atoi(a)
	y, bad := strconv.Atoi(b)
	if epoch != other || wrong != nil || bad != nil {
		return unknownDistance
	}
	return y - x
}

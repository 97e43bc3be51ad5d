package cluster

import (
	"strings"
	"time"

	"munadi/appliance/ssehub"
)

// wantMessage says which topics an appliance follows.
type wantMessage struct {
	Topics []wantedEntry `json:"topics"`
}

type wantedEntry struct {
	OrgID  string `json:"org"`
	Name   string `json:"name"`
	Events bool   `json:"events,omitempty"` // the events after the one with id After, or all
	After  string `json:"after,omitempty"`
	Again  bool   `json:"again,omitempty"` // events were missed: send those following After again
	Sound  bool   `json:"sound,omitempty"` // the audio
}

func (w wantedEntry) eventTopic() ssehub.EventTopic {
	return ssehub.EventTopic{OrgID: w.OrgID, Name: w.Name}
}

// wantedTopic is a topic with viewers or listeners on this appliance.
type wantedTopic struct {
	viewers, listeners int
	source, last       string // the appliance that publishes it, and the id of its last event
	asked              time.Time
}

// isRelayed reports whether a topic is about something that any appliance may run. Others are of this appliance alone.
func isRelayed(at ssehub.EventTopic) bool {
	return at.Name == "calls" || strings.HasPrefix(at.Name, "call/") || strings.HasPrefix(at.Name, "live/")
}

// FollowTopic implements [ssehub.TopicRelay].
func (r *EventRelay) FollowTopic(at ssehub.EventTopic) (stop func()) {
	return r.addWanted(at, func(w *wantedTopic, n int) bool { w.viewers += n; return w.viewers == 1 })
}

// FollowSound implements [ssehub.TopicRelay].
func (r *EventRelay) FollowSound(at ssehub.EventTopic) (stop func()) {
	return r.addWanted(at, func(w *wantedTopic, n int) bool { w.listeners += n; return w.listeners == 1 })
}

// addWanted counts a viewer or listener; the first one is announced to the other appliances at once.
func (r *EventRelay) addWanted(at ssehub.EventTopic, count func(*wantedTopic, int) (first bool)) (stop func()) {
	if !isRelayed(at) {
		return func() {}
	}
	r.mu.Lock()
	w := r.wanted[at]
	if w == nil {
		w = &wantedTopic{}
		r.wanted[at] = w
	}
	first, entry := count(w, 1), entryOf(at, w)
	entry.Again = true
	r.mu.Unlock()
	if first && !r.events.IsOwnTopic(at) {
		r.messenger.sendKind("", wantKind, wantMessage{Topics: []wantedEntry{entry}})
	}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if count(w, -1); w.viewers+w.listeners == 0 {
			delete(r.wanted, at)
		}
	}
}

func entryOf(at ssehub.EventTopic, w *wantedTopic) wantedEntry {
	return wantedEntry{
		OrgID: at.OrgID, Name: at.Name, Events: w.viewers > 0, After: w.last, Sound: w.listeners > 0,
	}
}

// sendWants sends the other appliances the topics that have viewers here and are not published here.
func (r *EventRelay) sendWants() {
	var all []wantedEntry
	r.mu.Lock()
	for at, w := range r.wanted {
		all = append(all, entryOf(at, w))
	}
	r.mu.Unlock()
	var message wantMessage
	for _, entry := range all {
		if !r.events.IsOwnTopic(entry.eventTopic()) {
			message.Topics = append(message.Topics, entry)
		}
	}
	if len(message.Topics) > 0 {
		r.messenger.sendKind("", wantKind, message)
	}
}

func (r *EventRelay) isWanted(at ssehub.EventTopic) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wanted[at] != nil
}

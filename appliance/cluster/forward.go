package cluster

import (
	"encoding/binary"
	"time"

	"munadi/appliance/ssehub"
)

// receiveWants subscribes another appliance to topics, and renews the subscriptions that it names again.
func (r *EventRelay) receiveWants(from string, message wantMessage) {
	for _, want := range message.Topics {
		if !isRelayed(want.eventTopic()) {
			continue
		}
		key := followKey{by: from, at: want.eventTopic()}
		if r.keepFollowing(key, want) && want.Events {
			r.followTopic(key, want.After)
		}
		if want.Sound {
			r.forwardSound(key)
		}
	}
}

// keepFollowing renews a subscription. It reports whether to send its events from After on: for a new one, and for one
// that lost events.
func (r *EventRelay) keepFollowing(key followKey, want wantedEntry) (send bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.followed[key]
	switch {
	case f == nil && r.countFollowed(key.by) >= mostWanted:
		return false
	case f == nil:
		f = &followedTopic{}
		r.followed[key] = f
	}
	f.until = time.Now().Add(wantLasts)
	return f.stop == nil || want.Again || f.last != want.After && f.last != "" && time.Since(f.since) > lostAfter
}

// countFollowed counts the topics that are followed for an appliance; the caller holds mu.
func (r *EventRelay) countFollowed(by string) (n int) {
	for key := range r.followed {
		if key.by == by {
			n++
		}
	}
	return n
}

// followTopic begins to forward a topic, again if it was forwarded before.
func (r *EventRelay) followTopic(key followKey, after string) {
	stop := r.events.FollowTopic(key.at, after, func(e ssehub.ForwardedEvent) {
		r.queueEvent(key, topicEvent{
			OrgID: key.at.OrgID, Name: key.at.Name, ID: e.ID, Kind: e.Kind, Data: e.Data, Transient: e.Transient,
		})
	})
	r.mu.Lock()
	f := r.followed[key]
	if f != nil {
		f.stop, stop = stop, f.stop
	}
	r.mu.Unlock()
	if stop != nil {
		stop() // the one before, or this one when the subscription is over
	}
}

// queueEvent queues an event for an appliance. When too many wait, they are dropped, and it asks again.
func (r *EventRelay) queueEvent(key followKey, e topicEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.followed[key]; f != nil && !e.Transient {
		f.last, f.since = e.ID, time.Now()
	}
	if len(r.pending[key.by]) >= mostPending {
		delete(r.pending, key.by)
	}
	r.pending[key.by] = append(r.pending[key.by], e)
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// sendPending sends the queued events.
func (r *EventRelay) sendPending() {
	r.mu.Lock()
	pending := r.pending
	r.pending = map[string][]topicEvent{}
	r.mu.Unlock()
	for to, events := range pending {
		r.messenger.sendKind(to, eventsKind, events)
	}
}

// dropFollowed ends the forwarding of the topics of a condition.
func (r *EventRelay) dropFollowed(which func(*followedTopic) bool) {
	var stops []func()
	r.mu.Lock()
	for key, f := range r.followed {
		if !which(f) {
			continue
		}
		if f.stop != nil {
			stops = append(stops, f.stop)
		}
		if listener := f.sound; listener != nil {
			stops = append(stops, func() { r.sound.LeaveTopic(listener) })
			f.sound = nil
		}
		delete(r.followed, key)
	}
	r.mu.Unlock()
	for _, stop := range stops {
		stop()
	}
}

// soundMessage is audio of a topic, or that it has ended.
type soundMessage struct {
	OrgID string `json:"org"`
	Name  string `json:"name"`
	PCM   []byte `json:"pcm,omitempty"` // 16-bit little-endian, interleaved
	Over  bool   `json:"over,omitempty"`
}

// forwardSound forwards the audio of a topic that this appliance publishes, until the appliance that asked for it no
// longer does.
func (r *EventRelay) forwardSound(key followKey) {
	r.mu.Lock()
	f := r.followed[key]
	listens := f != nil && f.sound != nil
	r.mu.Unlock()
	if f == nil || listens || !r.events.IsOwnTopic(key.at) {
		return
	}
	listener, err := r.sound.ForwardTopic(key.at)
	if err != nil {
		r.messenger.sendKind(key.by, soundKind, soundMessage{OrgID: key.at.OrgID, Name: key.at.Name, Over: true})
		return
	}
	r.mu.Lock()
	f.sound = listener
	r.mu.Unlock()
	go r.sendSound(key, f, listener)
}

// sendSound sends chunks until the audio ends, or the listener is removed.
func (r *EventRelay) sendSound(key followKey, f *followedTopic, listener *ssehub.SoundListener) {
	message := soundMessage{OrgID: key.at.OrgID, Name: key.at.Name}
	for chunk := range listener.C {
		message.PCM = message.PCM[:0]
		for _, sample := range chunk {
			message.PCM = binary.LittleEndian.AppendUint16(message.PCM, uint16(sample))
		}
		r.messenger.sendKind(key.by, soundKind, message)
	}
	r.mu.Lock()
	ours := f.sound == listener
	if ours {
		f.sound = nil
	}
	r.mu.Unlock()
	if ours { // the topic ended
		r.sound.LeaveTopic(listener)
		r.messenger.sendKind(key.by, soundKind, soundMessage{OrgID: key.at.OrgID, Name: key.at.Name, Over: true})
	}
}

// receiveSound plays the audio of another appliance to the listeners here.
func (r *EventRelay) receiveSound(_ string, m soundMessage) {
	at := ssehub.EventTopic{OrgID: m.OrgID, Name: m.Name}
	if !r.isWanted(at) || r.events.IsOwnTopic(at) {
		return
	}
	if m.Over {
		r.sound.StopTopic(at)
		return
	}
	chunk := make([]int16, len(m.PCM)/2)
	for i := range chunk {
		chunk[i] = int16(binary.LittleEndian.Uint16(m.PCM[2*i:]))
	}
	r.sound.PlayChunk(at, chunk)
}

package ssehub

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/r3labs/sse/v2"
)

// Errors of [EventHub.ServeTopic], which has then written nothing.
var (
	ErrFull   = errors.New("too many pages receive events; close some, or try again later")
	ErrClosed = errors.New("the server is stopping; no more events are sent")
)

// eventViewer is one viewer's connection to a topic, and the [http.ResponseWriter] of the library: it buffers a frame
// until it is complete, sets a deadline for each write, and ends the request at the first failure.
type eventViewer struct {
	http.ResponseWriter
	hub       *EventHub
	topic     *topicState
	seat      string
	frameMark []byte // comment that ends its frames; frames of the seat's earlier viewers have another
	cancel    context.CancelFunc

	lastNumber int // number of the last event that the client has; -1: unknown
	joined     bool
	frame      bytes.Buffer
	err        error
}

// ServeTopic streams a topic to a client until it disconnects or is too slow, the connection reaches MaxAge, the
// request's context ends, or the hub closes. The caller authorizes the client, and revokes access by cancelling that
// context.
func (h *EventHub) ServeTopic(w http.ResponseWriter, r *http.Request, at EventTopic) error {
	ctx, cancel := context.WithTimeout(r.Context(), h.MaxAge)
	defer cancel()
	v := &eventViewer{ResponseWriter: w, hub: h, cancel: cancel}
	if err := h.takeSeat(v, at); err != nil {
		return err
	}
	defer h.removeViewer(v, at)
	defer h.followTopic(at)()
	v.lastNumber = h.eventNumber(r.Header.Get("Last-Event-ID"))
	inner := r.Clone(ctx)
	inner.Header.Del("Last-Event-ID") // the library expects a number, and has no event log here
	inner.URL = &url.URL{RawQuery: "stream=" + v.seat}
	w.Header().Set("X-Accel-Buffering", "no")
	h.server.ServeHTTP(v, inner)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // the connection may be reused for other requests
	return nil
}

// takeSeat takes an unused seat, and creates the topic, so that viewers can wait for its first event.
func (h *EventHub) takeSeat(v *eventViewer, at EventTopic) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return ErrClosed
	case h.takenSeats[at.OrgID] >= h.MaxOrgViewers, h.seats == h.MaxViewers && len(h.freeSeats) == 0:
		return ErrFull
	case len(h.freeSeats) == 0:
		h.freeSeats = append(h.freeSeats, strconv.Itoa(h.seats))
		h.server.CreateStream(h.freeSeats[0])
		h.seats++
	}
	v.seat, h.freeSeats = h.freeSeats[0], h.freeSeats[1:]
	h.takenSeats[at.OrgID]++
	h.viewerCount++
	v.frameMark = []byte(": " + strconv.FormatUint(h.viewerCount, 36) + "\n\n")
	v.topic = h.topicOf(at)
	v.topic.holders++
	h.busy.Add(1)
	return nil
}

// removeViewer returns the seat. A topic without events is removed with its last viewer.
func (h *EventHub) removeViewer(v *eventViewer, at EventTopic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(v.topic.viewers, v)
	h.freeSeats = append(h.freeSeats, v.seat)
	if h.takenSeats[at.OrgID]--; h.takenSeats[at.OrgID] == 0 {
		delete(h.takenSeats, at.OrgID)
	}
	h.releaseTopic(at, v.topic)
	h.busy.Done()
}

// releaseTopic removes a topic with its last viewer or follower, unless it has events of this appliance.
func (h *EventHub) releaseTopic(at EventTopic, t *topicState) {
	t.holders--
	if (len(t.events) > 0 && !t.mirrored) || t.holders > 0 || h.topics[at] != t {
		return
	}
	if t.forgetTimer != nil {
		t.forgetTimer.Stop()
	}
	delete(h.topics, at)
}

// eventNumber parses an event id; -1 for none, or one of an earlier process.
func (h *EventHub) eventNumber(id string) int {
	rest, ours := strings.CutPrefix(id, h.epoch+"-")
	n, err := strconv.Atoi(rest)
	if !ours || err != nil || n < 0 {
		return -1
	}
	return n
}

// queueEvent queues an event; a viewer whose queue is full is dropped. The hub's mutex must be held.
func (v *eventViewer) queueEvent(e *sse.Event) {
	e.Comment = v.frameMark[2 : len(v.frameMark)-2]
	if !v.hub.server.TryPublish(v.seat, e) {
		v.cancel()
		delete(v.topic.viewers, v)
	}
}

// joinTopic subscribes to the topic and returns the events that the viewer missed. It is called when the library
// already listens for this viewer, so that no event is lost in between.
func (v *eventViewer) joinTopic() []bufferedEvent {
	h, t := v.hub, v.topic
	h.mu.Lock()
	defer h.mu.Unlock()
	v.joined = true
	if h.closed {
		v.cancel()
		return nil
	}
	t.viewers[v] = struct{}{}
	return h.missedEvents(t, v.lastNumber)
}

// missedEvents returns the events after number last; a Reset and all events if that number is unknown.
func (h *EventHub) missedEvents(t *topicState, last int) []bufferedEvent {
	missed := last + 1 - t.firstNumber
	if last < 0 || missed < 0 || missed > len(t.events) {
		reset := bufferedEvent{id: h.eventID(t.firstNumber - 1), kind: []byte(Reset), data: []byte(`{}`)}
		return append([]bufferedEvent{reset}, t.events...)
	}
	return t.events[missed:len(t.events):len(t.events)]
}

// Write implements [http.ResponseWriter]: it buffers part of a frame.
func (v *eventViewer) Write(p []byte) (int, error) {
	if v.err != nil {
		return len(p), nil //nolint:nilerr // the request is ending; the library ignores errors
	}
	return v.frame.Write(p)
}

// Flush sends the frame, if it is for this viewer.
func (v *eventViewer) Flush() {
	defer v.frame.Reset()
	if v.err != nil {
		return
	}
	if !v.joined {
		v.frame.WriteString("retry: 1000\n\n")
		for _, e := range v.joinTopic() {
			e.writeTo(&v.frame)
		}
	} else if !bytes.HasSuffix(v.frame.Bytes(), v.frameMark) {
		return
	}
	control := http.NewResponseController(v.ResponseWriter)
	v.err = errors.Join(control.SetWriteDeadline(time.Now().Add(v.hub.WriteTimeout)), v.writeFrame(control))
	if v.err != nil {
		v.cancel()
	}
}

// writeFrame writes the frame to the connection.
func (v *eventViewer) writeFrame(control *http.ResponseController) error {
	if _, err := v.ResponseWriter.Write(v.frame.Bytes()); err != nil {
		return err
	}
	return control.Flush()
}

// writeTo writes the event as an SSE frame. Its data is JSON on one line.
func (e bufferedEvent) writeTo(to *bytes.Buffer) {
	for _, part := range [][]byte{
		[]byte("id: "), e.id, []byte("\nevent: "), e.kind, []byte("\ndata: "), e.data, []byte("\n\n"),
	} {
		to.Write(part)
	}
}

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

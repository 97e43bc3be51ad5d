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

// The refusals of [EventHub.ServeTopic]; nothing has been answered then.
var (
	ErrFull   = errors.New("too many pages are watching at once; close some, or try again later")
	ErrClosed = errors.New("nothing more can be watched")
)

// eventViewer is one browser that looks at a topic. It is also what the events are written through: it holds a frame back
// until it is whole, gives each write a deadline, and ends the request at the first one that fails.
type eventViewer struct {
	http.ResponseWriter
	hub    *EventHub
	topic  *topicState
	seat   string
	mark   []byte // ends each of its frames: what was meant for the seat's holder before has another
	cancel context.CancelFunc

	last   int // number of the last event that it has seen; -1: of none that we know
	joined bool
	frame  bytes.Buffer
	err    error
}

// ServeTopic shows a topic to a client until it leaves, is too slow, has been connected for the longest age, the request's
// context ends, or the hub closes. Whether the client may look is the caller's affair, by that context also later.
func (h *EventHub) ServeTopic(w http.ResponseWriter, r *http.Request, at EventTopic) error {
	ctx, cancel := context.WithTimeout(r.Context(), h.Age)
	defer cancel()
	v := &eventViewer{ResponseWriter: w, hub: h, cancel: cancel}
	if err := h.seatFor(v, at); err != nil {
		return err
	}
	defer h.removeViewer(v, at)
	v.last = h.eventNumber(r.Header.Get("Last-Event-ID"))
	inner := r.Clone(ctx)
	inner.Header.Del("Last-Event-ID") // the library wants a number, and has no log
	inner.URL = &url.URL{RawQuery: "stream=" + v.seat}
	w.Header().Set("X-Accel-Buffering", "no")
	h.server.ServeHTTP(v, inner)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // the connection may serve other requests
	return nil
}

// seatFor takes a free seat. The topic is there from now on, so that it may begin while somebody waits for it.
func (h *EventHub) seatFor(v *eventViewer, at EventTopic) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return ErrClosed
	case h.taken[at.OrgID] >= h.Share, h.seats == h.Viewers && len(h.free) == 0:
		return ErrFull
	case len(h.free) == 0:
		h.free = append(h.free, strconv.Itoa(h.seats))
		h.server.CreateStream(h.free[0])
		h.seats++
	}
	v.seat, h.free = h.free[0], h.free[1:]
	h.taken[at.OrgID]++
	h.marks++
	v.mark = []byte(": " + strconv.FormatUint(h.marks, 36) + "\n\n")
	v.topic = h.topicOf(at)
	v.topic.holders++
	h.busy.Add(1)
	return nil
}

// removeViewer gives the seat back. A topic in which nothing happened goes with its last viewer.
func (h *EventHub) removeViewer(v *eventViewer, at EventTopic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(v.topic.viewers, v)
	h.free = append(h.free, v.seat)
	if h.taken[at.OrgID]--; h.taken[at.OrgID] == 0 {
		delete(h.taken, at.OrgID)
	}
	v.topic.holders--
	if len(v.topic.log) == 0 && v.topic.holders == 0 && h.topics[at] == v.topic {
		delete(h.topics, at)
	}
	h.busy.Done()
}

// eventNumber is the number of the event with an id; -1 for an id of another run, or none.
func (h *EventHub) eventNumber(id string) int {
	rest, ours := strings.CutPrefix(id, h.epoch+"-")
	n, err := strconv.Atoi(rest)
	if !ours || err != nil || n < 0 {
		return -1
	}
	return n
}

// queueEvent queues an event; a viewer whose queue is full is dropped. The hub is locked.
func (v *eventViewer) queueEvent(e *sse.Event) {
	e.Comment = v.mark[2 : len(v.mark)-2]
	if !v.hub.server.TryPublish(v.seat, e) {
		v.cancel()
		delete(v.topic.viewers, v)
	}
}

// joinTopic begins to get what is published, and is what was published until now. It is called when the library listens
// for us already, so that nothing lies between the two.
func (v *eventViewer) joinTopic() []keptEvent {
	h, t := v.hub, v.topic
	h.mu.Lock()
	defer h.mu.Unlock()
	v.joined = true
	if h.closed {
		v.cancel()
		return nil
	}
	t.viewers[v] = struct{}{}
	missed := v.last + 1 - t.first
	if v.last < 0 || missed < 0 || missed > len(t.log) {
		reset := keptEvent{id: h.eventID(t.first - 1), kind: []byte(Reset), data: []byte(`{}`)}
		return append([]keptEvent{reset}, t.log...)
	}
	return t.log[missed:len(t.log):len(t.log)]
}

// Write implements [http.ResponseWriter]: it keeps a part of a frame.
func (v *eventViewer) Write(p []byte) (int, error) {
	if v.err != nil {
		return len(p), nil //nolint:nilerr // the request is ending; the library does not look at errors
	}
	return v.frame.Write(p)
}

// Flush sends the frame, if it is meant for this viewer.
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
	} else if !bytes.HasSuffix(v.frame.Bytes(), v.mark) {
		return
	}
	control := http.NewResponseController(v.ResponseWriter)
	v.err = errors.Join(control.SetWriteDeadline(time.Now().Add(v.hub.Patience)), v.writeFrame(control))
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

// writeTo adds the event as a frame. Its data is JSON in one line.
func (e keptEvent) writeTo(to *bytes.Buffer) {
	for _, part := range [][]byte{
		[]byte("id: "), e.id, []byte("\nevent: "), e.kind, []byte("\ndata: "), e.data, []byte("\n\n"),
	} {
		to.Write(part)
	}
}

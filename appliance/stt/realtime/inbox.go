package realtime

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/semaphore"
)

// clientMessage is one event of the client on its way to the worker.
type clientMessage struct {
	event clientEvent
	fault *protocolError
	bytes int64
	bulk  bool // it holds one of the places of large events
}

// messageInbox takes a client's events off the socket as long as there is room for them. Two goroutines serve it: fill and
// ping; the worker takes messages, and says when it is done with each.
type messageInbox struct {
	conn     *websocket.Conn
	limits   SessionLimits
	messages chan clientMessage // closed when nothing more comes
	room     *semaphore.Weighted
	bulk     slotPair // of all sessions

	heard atomic.Int64 // when the last event came, in nanoseconds since 1970
	full  atomic.Bool  // the client is not read from until there is room
}

func newInbox(conn *websocket.Conn, l SessionLimits, bulk slotPair) *messageInbox {
	return &messageInbox{
		conn: conn, limits: l, messages: make(chan clientMessage, 4096), room: semaphore.NewWeighted(l.Waiting), bulk: bulk,
	}
}

// readMessages reads until the socket's end, which is an error unless the client closed it as the protocol has it.
func (b *messageInbox) readMessages(ctx context.Context) error {
	defer close(b.messages)
	for {
		m, err := b.readMessage(ctx)
		if err != nil {
			return unlessPolite(err)
		}
		weight := b.messageWeight(m)
		err = b.acquireRoom(
			func() bool { return b.room.TryAcquire(weight) }, func() error { return b.room.Acquire(ctx, weight) },
		)
		if err != nil {
			b.releaseRoom(m)
			return err
		}
		select {
		case b.messages <- m:
		case <-ctx.Done():
			b.releaseMessage(m)
			return ctx.Err()
		}
	}
}

// readMessage takes one event. A large one waits for its place after its beginning.
func (b *messageInbox) readMessage(ctx context.Context) (m clientMessage, err error) {
	kind, r, err := b.conn.Reader(ctx)
	if err != nil {
		return m, err
	}
	var raw bytes.Buffer
	n, err := io.CopyN(&raw, r, b.limits.Waiting+1)
	switch {
	case err == nil:
		if err := b.acquireRoom(b.bulk.tryAcquire, func() error { return b.bulk.acquireSlot(ctx) }); err != nil {
			return m, err
		}
		m.bulk = true
		if _, err = raw.ReadFrom(r); err != nil {
			b.releaseRoom(m)
			return m, err
		}
	case n > b.limits.Waiting || err != io.EOF: //nolint:errorlint // CopyN gives the bare one
		return m, err
	}
	b.heard.Store(time.Now().UnixNano())
	m.bytes = int64(raw.Len())
	if kind == websocket.MessageText {
		m.event, m.fault = parseEvent(raw.Bytes())
	} else {
		m.fault = &protocolError{Code: "invalid_json", Message: "Events are text messages that hold JSON."}
	}
	return m, nil
}

// acquireRoom takes room at once or waits for it; the client is not to be blamed for its silence meanwhile.
func (b *messageInbox) acquireRoom(try func() bool, wait func() error) error {
	if try() {
		return nil
	}
	b.full.Store(true)
	defer b.full.Store(false)
	defer func() { b.heard.Store(time.Now().UnixNano()) }()
	return wait()
}

// messageWeight is what a message takes of the session's room: all of it at most.
func (b *messageInbox) messageWeight(m clientMessage) int64 { return min(m.bytes, b.limits.Waiting) }

// releaseMessage says that the worker needs a message no more.
func (b *messageInbox) releaseMessage(m clientMessage) {
	b.room.Release(b.messageWeight(m))
	b.releaseRoom(m)
}

func (b *messageInbox) releaseRoom(m clientMessage) {
	if m.bulk {
		b.bulk.releaseSlot()
	}
}

// discardMessages lets go what the worker did not take; the socket must be at its end.
func (b *messageInbox) discardMessages() {
	for m := range b.messages {
		b.releaseMessage(m)
	}
}

// unlessPolite is no error for a client that closed the session as the protocol has it.
func unlessPolite(err error) error {
	switch websocket.CloseStatus(err) {
	case websocket.StatusNormalClosure, websocket.StatusGoingAway, websocket.StatusNoStatusRcvd:
		return nil
	}
	return err
}

// pingClient finds out that a client has vanished: one that was silent for a while and does not answer.
func (b *messageInbox) pingClient(ctx context.Context) error {
	tick := time.NewTicker(b.limits.Ping)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if b.isAlive() {
			continue
		}
		patient, done := context.WithTimeout(ctx, b.limits.Pong)
		err := b.conn.Ping(patient)
		done()
		if err != nil && !b.isAlive() {
			return err
		}
	}
}

// isAlive says that the client was heard lately, or that its answer could not be, since it is not read from.
func (b *messageInbox) isAlive() bool {
	return b.full.Load() || time.Since(time.Unix(0, b.heard.Load())) < b.limits.Ping
}

package realtime

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/semaphore"

	"munadi/appliance/httpserver/multipartform"
	"munadi/appliance/quota"
)

// clientMessage is one queued event of the client.
type clientMessage struct {
	event clientEvent
	fault *protocolError
	bytes int64
	bulk  bool // it holds a slot for large events
}

// messageInbox reads a client's events from the socket while there is room (backpressure). Two goroutines serve it:
// reader and ping; the worker takes messages and releases them when done.
type messageInbox struct {
	conn     *websocket.Conn
	limits   SessionLimits
	messages chan clientMessage // closed at the end of the socket
	room     *semaphore.Weighted
	bulk     *quota.Semaphore // shared by all sessions
	spool    multipartform.FormDecoder
	orgID    string

	began time.Time    // with its monotonic clock, which a change of the machine's time does not move
	heard atomic.Int64 // when the last event came, in nanoseconds since began
	full  atomic.Bool  // reading is paused until there is room
}

func newInbox(s *realtimeSession) *messageInbox {
	return &messageInbox{
		conn: s.conn, limits: s.Limits, messages: make(chan clientMessage, 4096),
		room: semaphore.NewWeighted(s.Limits.Waiting), bulk: s.bulk, spool: multipartform.FormDecoder{Dir: s.Spool},
		orgID: s.who.OrgID, began: time.Now(),
	}
}

// readMessages reads until the socket closes; an error unless the client closed it normally.
func (b *messageInbox) readMessages(ctx context.Context) error {
	defer close(b.messages)
	for {
		m, err := b.readMessage(ctx)
		if err != nil {
			return ignoreNormalClose(err)
		}
		weight := b.messageWeight(m)
		err = b.acquireRoom(
			func() bool { return b.room.TryAcquire(weight) }, func() error { return b.room.Acquire(ctx, weight) },
		)
		if err != nil {
			b.releaseRoom(m)
			return err
		}
		if err := b.deliverMessage(ctx, m); err != nil {
			return err
		}
	}
}

// deliverMessage passes a message that was read to the worker, at once if there is room: also when the connection has
// ended meanwhile.
func (b *messageInbox) deliverMessage(ctx context.Context, m clientMessage) error {
	select {
	case b.messages <- m:
		return nil
	default:
	}
	select {
	case b.messages <- m:
		return nil
	case <-ctx.Done():
		b.releaseMessage(m)
		return ctx.Err()
	}
}

// readMessage reads one event. A large one waits for a slot once it has come, so that a slow client holds none.
func (b *messageInbox) readMessage(ctx context.Context) (m clientMessage, err error) {
	kind, r, err := b.conn.Reader(ctx)
	if err != nil {
		return m, err
	}
	r = &arrivingReader{r, b}
	var raw bytes.Buffer
	n, err := io.CopyN(&raw, r, b.limits.Waiting+1)
	switch {
	case err == nil:
		if err := b.readRest(ctx, r, &raw); err != nil {
			return m, err
		}
		m.bulk = true
	case n > b.limits.Waiting || err != io.EOF: //nolint:errorlint // CopyN gives the bare one
		return m, err
	}
	m.bytes = int64(raw.Len())
	if kind == websocket.MessageText {
		m.event, m.fault = parseEvent(raw.Bytes())
	} else {
		m.fault = &protocolError{Code: "invalid_json", Message: "Events must be text messages that hold JSON."}
	}
	return m, nil
}

// readRest reads the rest of a large event, and takes a slot for it unless there is an error.
func (b *messageInbox) readRest(ctx context.Context, r io.Reader, raw *bytes.Buffer) error {
	spooled, err := b.spool.SpoolUpload(r)
	if err != nil {
		return err
	}
	defer func() { _ = spooled.Close() }()
	rest, err := spooled.Open()
	if err != nil {
		return err
	}
	err = b.acquireRoom(
		func() bool { return b.bulk.TryAcquire(b.orgID) }, func() error { return b.bulk.AcquireSlot(ctx, b.orgID) },
	)
	if err != nil {
		return err
	}
	if _, err = raw.ReadFrom(rest); err != nil {
		b.bulk.ReleaseSlot(b.orgID)
	}
	return err
}

// arrivingReader reads an event; its client counts as heard with each part of it.
type arrivingReader struct {
	io.Reader
	inbox *messageInbox
}

// Read implements [io.Reader].
func (r *arrivingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.inbox.noteHeard()
	return n, err
}

// acquireRoom takes room at once or waits for it; while it waits, the client is not pinged.
func (b *messageInbox) acquireRoom(try func() bool, wait func() error) error {
	if try() {
		return nil
	}
	b.full.Store(true)
	defer b.full.Store(false)
	defer b.noteHeard()
	return wait()
}

func (b *messageInbox) noteHeard() { b.heard.Store(int64(time.Since(b.began))) }

// messageWeight returns the message's share of the session's room, at most all of it.
func (b *messageInbox) messageWeight(m clientMessage) int64 { return min(m.bytes, b.limits.Waiting) }

// releaseMessage releases a message that the worker has processed.
func (b *messageInbox) releaseMessage(m clientMessage) {
	b.room.Release(b.messageWeight(m))
	b.releaseRoom(m)
}

func (b *messageInbox) releaseRoom(m clientMessage) {
	if m.bulk {
		b.bulk.ReleaseSlot(b.orgID)
	}
}

// discardMessages releases unprocessed messages; the socket must be closed.
func (b *messageInbox) discardMessages() {
	for m := range b.messages {
		b.releaseMessage(m)
	}
}

// ignoreNormalClose returns nil for a normal close by the client.
func ignoreNormalClose(err error) error {
	switch websocket.CloseStatus(err) {
	case websocket.StatusNormalClosure, websocket.StatusGoingAway, websocket.StatusNoStatusRcvd:
		return nil
	}
	return err
}

// pingClient detects a disconnected client by WebSocket pings after silence.
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
		waiting, done := context.WithTimeout(ctx, b.limits.Pong)
		err := b.conn.Ping(waiting)
		done()
		if err != nil && !b.isAlive() {
			return err
		}
	}
}

// isAlive reports whether an event arrived recently, or reading is paused.
func (b *messageInbox) isAlive() bool {
	return b.full.Load() || time.Since(b.began)-time.Duration(b.heard.Load()) < b.limits.Ping
}

package realtime

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/semaphore"
)

const (
	pingEvery = 20 * time.Second
	lookEvery = time.Second // at whether the appliance stops
)

var errEnd = io.EOF

// message is one event of the client on its way to the worker.
type message struct {
	event clientEvent
	fault *fault
	bytes int64
}

// run serves the session to its end and says what ended it.
func (s *session) run(ctx context.Context) string {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer func() { _ = s.conn.CloseNow() }()
	if s.witness != nil {
		defer s.witness.End()
	}
	if err := s.greet(ctx); err != nil {
		return "the client was gone at once"
	}
	room := semaphore.NewWeighted(max(s.Limits.Waiting, s.Limits.Message))
	inbox := make(chan message, 4096)
	go s.read(ctx, cancel, inbox, room)
	go s.ping(ctx, cancel)
	defer s.remember(ctx)
	return s.work(ctx, inbox, room)
}

// read takes the client's events off the socket as long as there is room for them; inbox is closed at the end.
func (s *session) read(ctx context.Context, cancel context.CancelFunc, inbox chan<- message, room *semaphore.Weighted) {
	defer close(inbox)
	for {
		kind, raw, err := s.conn.Read(ctx)
		if err != nil {
			if !polite(err) {
				cancel() // nobody listens any more
			}
			return
		}
		m := message{bytes: int64(len(raw))}
		if kind != websocket.MessageText {
			m.fault = &fault{Code: "invalid_json", Message: "Events are text messages that hold JSON."}
		} else {
			m.event, m.fault = parse(raw)
		}
		if room.Acquire(ctx, m.bytes) != nil {
			return
		}
		select {
		case inbox <- m:
		case <-ctx.Done():
			return
		}
	}
}

// polite says that the client closed the session as the protocol has it.
func polite(err error) bool {
	status := websocket.CloseStatus(err)
	return status == websocket.StatusNormalClosure || status == websocket.StatusGoingAway ||
		status == websocket.StatusNoStatusRcvd
}

// ping finds out that a client has vanished.
func (s *session) ping(ctx context.Context, cancel context.CancelFunc) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		patient, done := context.WithTimeout(ctx, pingEvery)
		err := s.conn.Ping(patient)
		done()
		if err != nil {
			cancel()
			return
		}
	}
}

// work does the client's wishes in their order, until something ends the session.
func (s *session) work(ctx context.Context, inbox <-chan message, room *semaphore.Weighted) string {
	idle, look := time.NewTimer(s.Limits.Idle), time.NewTicker(lookEvery)
	defer idle.Stop()
	defer look.Stop()
	for {
		m, end := s.next(ctx, inbox, idle.C, look.C)
		if end != "" {
			return end
		}
		idle.Reset(s.Limits.Idle)
		err := s.one(ctx, m)
		room.Release(m.bytes)
		if err != nil {
			return s.broken(ctx, err)
		}
	}
}

// next is the client's next wish, or what ended the session. Sound is heard when nothing else waits, so that a session
// that is behind hears in larger pieces.
func (s *session) next(
	ctx context.Context, inbox <-chan message, idle, look <-chan time.Time,
) (message, string) {
	select {
	case <-look: // at one who never pauses, too
		if s.Draining() {
			return message{}, s.shutdown(ctx)
		}
	default:
	}
	select {
	case m, open := <-inbox:
		return m, closed(open)
	default:
		if err := s.hear(ctx); err != nil {
			return message{}, s.broken(ctx, err)
		}
	}
	for {
		select {
		case m, open := <-inbox:
			return m, closed(open)
		case <-ctx.Done():
			return message{}, "the client is gone"
		case <-idle:
			s.bye(ctx, &fault{Code: "session_idle", Message: "The session was idle for too long."})
			return message{}, "idle"
		case <-look:
			if s.Draining() {
				return message{}, s.shutdown(ctx)
			}
		}
	}
}

func closed(open bool) string {
	if open {
		return ""
	}
	return "closed by the client"
}

func (s *session) one(ctx context.Context, m message) error {
	if m.fault != nil {
		return s.complain(ctx, m.fault)
	}
	return s.handle(ctx, m.event)
}

// shutdown tells the text of an open turn as it stands, and that the service stops.
func (s *session) shutdown(ctx context.Context) string {
	if s.hearing != nil {
		events, err := s.hearing.Flush(ctx)
		for _, e := range events {
			err = errors.Join(err, s.final(ctx, e, false))
		}
		if err != nil {
			return s.broken(ctx, err)
		}
	}
	s.bye(ctx, &fault{Type: "server_error", Code: "server_shutdown", Message: "The service is shutting down."})
	return "shutdown"
}

// remember hears what was said last before the session ended, however it did, for those who watch.
func (s *session) remember(ctx context.Context) {
	if s.hearing == nil || s.witness == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writePatience)
	defer cancel()
	events, err := s.hearing.Flush(ctx)
	if err != nil {
		s.Log.Error("the end of a realtime session is not kept", "session", s.id, "err", err)
	}
	for _, e := range events {
		s.witnessed(e)
	}
}

// broken tells a client that is still there that hearing failed.
func (s *session) broken(ctx context.Context, err error) string {
	if ctx.Err() != nil || errors.Is(err, errSend) {
		return "the client is gone"
	}
	s.Log.Error("a realtime session broke", "session", s.id, "err", err)
	s.bye(ctx, &fault{Type: "server_error", Code: "internal_error", Message: "The server had an error; connect again."})
	return "error"
}

// errSend says that the client takes nothing any more.
var errSend = errors.New("the client takes no events")

// send writes one event.
func (s *session) send(ctx context.Context, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, writePatience)
	defer cancel()
	if err := s.conn.Write(ctx, websocket.MessageText, text); err != nil {
		return errors.Join(errSend, err)
	}
	return nil
}

package realtime

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/coder/websocket"

	"munadi/appliance/survive"
)

const lookEvery = time.Second // at whether the appliance stops

var errEnd = io.EOF

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
	inbox := newInbox(s.conn, s.Limits, s.bulk)
	go s.beside(cancel, func() error { return inbox.fill(ctx) })
	go s.beside(cancel, func() error { return inbox.ping(ctx) })
	go s.beside(cancel, func() error { return s.limitAccess(ctx) })
	defer inbox.empty()
	defer cancel()
	defer s.release()
	defer s.remember(ctx)
	var end string
	err := survive.Panic(func() error {
		end = s.work(ctx, inbox)
		return nil
	})
	if err != nil {
		end = s.broken(ctx, err)
	}
	if f := s.ended.Load(); f != nil {
		return f.Code
	}
	return end
}

// beside does what goes on beside the worker; its error ends the session.
func (s *session) beside(cancel context.CancelFunc, work func() error) {
	err := survive.Panic(work)
	if err == nil {
		return
	}
	s.Log.Debug("a realtime session ends", "session", s.id, "err", err)
	cancel()
}

// work does the client's wishes in their order, until something ends the session.
func (s *session) work(ctx context.Context, inbox *inbox) string {
	idle, look := time.NewTimer(s.Limits.Idle), time.NewTicker(lookEvery)
	defer idle.Stop()
	defer look.Stop()
	for {
		m, end := s.next(ctx, inbox.messages, idle.C, look.C)
		if end != "" {
			return end
		}
		idle.Reset(s.Limits.Idle)
		err := s.one(ctx, m)
		inbox.done(m)
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
	err := survive.Panic(func() error {
		events, err := s.hearing.Flush(ctx)
		for _, e := range events {
			s.witnessed(e)
		}
		return err
	})
	if err != nil {
		s.Log.Error("the end of a realtime session is not kept", "session", s.id, "err", err)
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

package realtime

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/coder/websocket"

	"munadi/appliance/recovery"
)

const shutdownPoll = time.Second // interval of shutdown checks

// lastWords is how long a recorded session is still recognized after its client has gone.
const lastWords = 30 * time.Second

// serveSession serves the session to its end and returns the reason of the end.
func (s *realtimeSession) serveSession(ctx context.Context) string {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer func() { _ = s.conn.CloseNow() }()
	if s.observer != nil {
		defer s.observer.EndSession()
	}
	s.disconnect = cancel
	if err := s.sendCreated(ctx); err != nil {
		return "the client disconnected at once"
	}
	inbox := newInbox(s)
	go s.runTask(cancel, func() error { return inbox.readMessages(ctx) })
	go s.runTask(cancel, func() error { return inbox.pingClient(ctx) })
	go s.runTask(cancel, func() error { return s.limitAccess(ctx) })
	defer inbox.discardMessages()
	defer cancel()
	defer s.releaseSound()
	work, done := s.recognitionContext(ctx)
	defer done()
	defer s.flushToObserver(work)
	var end string
	err := recovery.RecoverPanic(func() error {
		end = s.handleMessages(work, inbox)
		return nil
	})
	if err != nil {
		end = s.reportBroken(work, err)
	}
	if f := s.ended.Load(); f != nil {
		return f.Code
	}
	return end
}

// recognitionContext returns the context in which the client's audio is recognized, given that of its connection. What
// an observer records is recognized to the last word that has arrived, also when the client has gone.
func (s *realtimeSession) recognitionContext(connected context.Context) (context.Context, context.CancelFunc) {
	if s.observer == nil {
		return connected, func() {}
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(connected))
	stop := context.AfterFunc(connected, func() { time.AfterFunc(lastWords, cancel) })
	return ctx, func() { stop(); cancel() }
}

// runTask runs a background task of the session; its error ends the session.
func (s *realtimeSession) runTask(cancel context.CancelFunc, work func() error) {
	err := recovery.RecoverPanic(work)
	if err == nil {
		return
	}
	s.Log.Debug("a realtime session ends", "session", s.id, "err", err)
	cancel()
}

// handleMessages processes the client's events in order, until the session ends.
func (s *realtimeSession) handleMessages(ctx context.Context, inbox *messageInbox) string {
	idle, look := time.NewTimer(s.Limits.Idle), time.NewTicker(shutdownPoll)
	defer idle.Stop()
	defer look.Stop()
	for {
		m, end := s.nextMessage(ctx, inbox.messages, idle.C, look.C)
		if end != "" {
			return end
		}
		idle.Reset(s.Limits.Idle)
		err := s.handleMessage(ctx, m)
		inbox.releaseMessage(m)
		if err != nil {
			return s.reportBroken(ctx, err)
		}
	}
}

// nextMessage returns the client's next event, or the reason of the session's end. Audio is processed when no event is
// queued, so that a slow session processes larger pieces.
func (s *realtimeSession) nextMessage(
	ctx context.Context, inbox <-chan clientMessage, idle, look <-chan time.Time,
) (clientMessage, string) {
	select {
	case <-look: // also for a client that never pauses
		if s.Draining() {
			return clientMessage{}, s.closeForShutdown(ctx)
		}
	default:
	}
	select {
	case m, open := <-inbox:
		return m, closeReason(open)
	default:
		if err := s.processPending(ctx); err != nil {
			return clientMessage{}, s.reportBroken(ctx, err)
		}
	}
	for {
		select {
		case m, open := <-inbox:
			return m, closeReason(open)
		case <-ctx.Done():
			return clientMessage{}, "the client disconnected"
		case <-idle:
			s.sendClosing(ctx, &protocolError{Code: "session_idle", Message: "The session was idle for too long."})
			return clientMessage{}, "idle"
		case <-look:
			if s.Draining() {
				return clientMessage{}, s.closeForShutdown(ctx)
			}
		}
	}
}

func closeReason(open bool) string {
	if open {
		return ""
	}
	return "closed by the client"
}

func (s *realtimeSession) handleMessage(ctx context.Context, m clientMessage) error {
	if m.fault != nil {
		return s.sendError(ctx, m.fault)
	}
	return s.handleEvent(ctx, m.event)
}

// closeForShutdown sends the text of an open turn and notifies the client of the shutdown (graceful shutdown).
func (s *realtimeSession) closeForShutdown(ctx context.Context) string {
	if s.stream != nil {
		events, err := s.stream.Flush(ctx)
		for _, e := range events {
			err = errors.Join(err, s.finishTurn(ctx, e, false))
		}
		if err != nil {
			return s.reportBroken(ctx, err)
		}
	}
	s.sendClosing(
		ctx,
		&protocolError{Type: "server_error", Code: "server_shutdown", Message: "The service is shutting down."},
	)
	return "shutdown"
}

// flushToObserver passes what was not recognized yet and the last open turn to the observer, however the session ended.
func (s *realtimeSession) flushToObserver(ctx context.Context) {
	if s.observer == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	err := recovery.RecoverPanic(func() error {
		if err := s.processPending(ctx); err != nil || s.stream == nil {
			return err
		}
		events, err := s.stream.Flush(ctx)
		for _, e := range events {
			s.notifyObserver(s.text.FormatEvent(s.said, e))
		}
		return err
	})
	if err != nil {
		s.Log.Error("the last turn of a realtime session was not stored", "session", s.id, "err", err)
	}
}

// reportBroken sends an error to a connected client when recognition failed.
func (s *realtimeSession) reportBroken(ctx context.Context, err error) string {
	if ctx.Err() != nil || errors.Is(err, errSend) {
		return "the client disconnected"
	}
	s.Log.Error("a realtime session failed", "session", s.id, "err", err)
	s.sendClosing(
		ctx,
		&protocolError{Type: "server_error", Code: "internal_error", Message: "Internal error; connect again."},
	)
	return "error"
}

// errSend means that the client does not read events.
var errSend = errors.New("the client does not read events")

// sendEvent writes one event.
func (s *realtimeSession) sendEvent(ctx context.Context, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	err = s.conn.Write(ctx, websocket.MessageText, text)
	switch {
	case err == nil:
		return nil
	case s.observer != nil: // its audio is still recorded
		s.disconnect()
		return nil
	}
	return errors.Join(errSend, err)
}

package realtime

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/google/uuid"

	"munadi/appliance/auth"
	"munadi/appliance/textform"
	"munadi/engine/audio"
)

const (
	leastCommit  = audio.Rate / 10 // minimum commit in samples: 100 ms
	mergeSamples = 2 * audio.Rate  // queued audio is processed in pieces of at most this
)

// realtimeSession is one client's session. Its fields belong to the worker.
type realtimeSession struct {
	*RealtimeService
	sessionSettings
	conn       *websocket.Conn
	disconnect context.CancelFunc // ends the connection's tasks
	id         string
	beta       bool // beta event names
	who        auth.Principal

	ended atomic.Pointer[protocolError] // why the server ended the session from another goroutine; nil: it did not

	stream   RecognitionStream // nil until audio arrives, or without turn detection
	observer SessionObserver   // or nil
	sound    *soundDecoder
	pending  []float32 // unprocessed audio
	total    int       // samples of the session
	origin   int       // first sample of stream
	fresh    int       // samples since the last commit or clear
	buffer   []float32 // uncommitted audio, without turn detection
	kept     int       // samples of it counted in the total of all sessions

	item     string // item id of the open turn
	agreed   stablePrefix
	out      int     // words of it sent as deltas
	said     string  // the last turns, as recognized
	previous *string // id of the previous item
	free     float64 // end of the previous turn, in seconds
	items    int
}

func (s *RealtimeService) newSession(conn *websocket.Conn, who auth.Principal, beta bool) *realtimeSession {
	n := &realtimeSession{
		RealtimeService: s, sessionSettings: defaultSettings(), conn: conn, id: newID("sess_"), beta: beta, who: who,
	}
	n.sound = newSound(n.encoding)
	if s.Observer != nil {
		n.observer = s.Observer(who)
	}
	return n
}

// newID generates an id.
func newID(prefix string) string {
	id := uuid.New()
	return fmt.Sprintf("%s%x", prefix, id[:])
}

// sendCreated sends the session.created event.
func (s *realtimeSession) sendCreated(ctx context.Context) error {
	kind := "session.created"
	if s.beta {
		kind = "transcription_session.created"
	}
	return s.sendSession(ctx, kind)
}

func (s *realtimeSession) sendSession(ctx context.Context, kind string) error {
	return s.sendEvent(ctx, sessionEvent{newEventHeader(kind), s.sessionBody(s.id, s.beta)})
}

func newEventHeader(kind string) eventHeader {
	return eventHeader{EventID: newID("event_"), Type: kind}
}

// sendError sends an error event.
func (s *realtimeSession) sendError(ctx context.Context, f *protocolError) error {
	return s.sendEvent(ctx, errorEvent{newEventHeader("error"), f.errorBody()})
}

// handleEvent processes one client event.
func (s *realtimeSession) handleEvent(ctx context.Context, e clientEvent) error {
	var f *protocolError
	var err error
	switch e.Type {
	case clientAppend:
		return s.appendAudio(ctx, e)
	case clientBetaUpdate:
		var next sessionSettings
		if next, f = s.updateBeta(e.Session); f == nil {
			err = s.applySettings(ctx, next, true)
		}
	case clientUpdate:
		var next sessionSettings
		if next, f = s.updateCurrent(e.Session); f == nil {
			err = s.applySettings(ctx, next, false)
		}
	case clientCommit:
		f, err = s.commitBuffer(ctx)
	case clientClear:
		err = s.clearBuffer(ctx)
	default:
		f = newInvalidValue("type", e.Type, clientBetaUpdate, clientUpdate, clientAppend, clientCommit, clientClear)
	}
	if f != nil {
		return s.sendError(ctx, f.withEvent(e))
	}
	return err
}

// applySettings applies new settings; later events use the protocol version of the update.
func (s *realtimeSession) applySettings(ctx context.Context, next sessionSettings, beta bool) error {
	if err := s.processPending(ctx); err != nil {
		return err
	}
	if next.text.Form == textform.Written && s.Country != nil {
		country, err := s.Country(ctx, s.who.OrgID)
		if err != nil {
			return err
		}
		next.text.Country = country
	}
	if next.encoding != s.encoding {
		s.sound = newSound(next.encoding)
	}
	had := s.turns != nil
	s.sessionSettings, s.beta = next, beta
	switch {
	case s.turns == nil && s.stream != nil:
		s.stream, s.fresh = nil, 0
		s.forgetTurn()
	case s.turns != nil && !had:
		s.buffer, s.fresh = nil, 0
		s.releaseSound()
	case s.stream != nil:
		if err := s.stream.Tune(s.streamOptions(s.Limits.Partial)); err != nil {
			return err
		}
	}
	if beta {
		return s.sendSession(ctx, "transcription_session.updated")
	}
	return s.sendSession(ctx, "session.updated")
}

// processPending processes the queued audio.
func (s *realtimeSession) processPending(ctx context.Context) error {
	for len(s.pending) > 0 && s.turns != nil {
		if err := s.openStream(); err != nil {
			return err
		}
		n := min(len(s.pending), mergeSamples)
		if s.observer != nil {
			s.observer.AddSound(s.pending[:n])
		}
		s.total += n
		events, err := s.stream.Push(ctx, s.pending[:n])
		s.pending = s.pending[:copy(s.pending, s.pending[n:])]
		if tell := s.sendEvents(ctx, events); tell != nil {
			return tell
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// openStream starts streaming recognition.
func (s *realtimeSession) openStream() (err error) {
	if s.stream == nil {
		s.origin, s.free = s.total, 0
		s.stream, err = s.OpenStream(s.streamOptions(s.Limits.Partial))
	}
	return err
}

// closeItem makes the open item the previous one.
func (s *realtimeSession) closeItem() {
	item := s.item
	s.previous = &item
	s.forgetTurn()
	s.items++
}

// forgetTurn resets the state of the open turn.
func (s *realtimeSession) forgetTurn() { s.item, s.agreed, s.out = "", stablePrefix{}, 0 }

// sendClosing sends the client the reason for the end of the session.
func (s *realtimeSession) sendClosing(ctx context.Context, f *protocolError) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	_ = s.sendError(ctx, f) // the client may have gone already
	_ = s.conn.Close(websocket.StatusGoingAway, f.Message)
}

const writeTimeout = 10 * time.Second

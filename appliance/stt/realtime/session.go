package realtime

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/google/uuid"

	"munadi/appliance/auth"
	"munadi/engine"
	"munadi/engine/audio"
)

const (
	leastCommit  = audio.Rate / 10 // samples: 100 ms
	mergeSamples = 2 * audio.Rate  // sound that waits is heard in pieces of at most this
)

// session is one client's. Its fields belong to the worker.
type session struct {
	*Service
	settings
	conn *websocket.Conn
	id   string
	beta bool // spelling
	who  auth.Principal

	ended atomic.Pointer[fault] // why the server ended the session from beside the worker; nil: it did not

	hearing Hearing // nil until sound comes, or without turn detection
	witness Witness // or nil
	sound   *sound
	pending []float32 // not heard yet
	total   int       // samples of the session
	origin  int       // sample at which hearing began
	fresh   int       // samples since the last commit or clearing
	buffer  []float32 // what waits for its commit, without turn detection
	kept    int       // samples of it that count among those of all sessions

	item     string // of the open turn
	agreed   agreement
	out      int     // words of it that deltas have told
	previous *string // item before
	free     float64 // end of the turn before, in seconds
	items    int
}

func (s *Service) session(conn *websocket.Conn, who auth.Principal, beta bool) *session {
	n := &session{
		Service: s, settings: usualSettings(), conn: conn, id: name("sess_"), beta: beta, who: who,
	}
	n.sound = newSound(n.encoding)
	if s.Witness != nil {
		n.witness = s.Witness(who)
	}
	return n
}

// name makes an id.
func name(prefix string) string {
	id := uuid.New()
	return fmt.Sprintf("%s%x", prefix, id[:])
}

// greet tells of the new session.
func (s *session) greet(ctx context.Context) error {
	kind := "session.created"
	if s.beta {
		kind = "transcription_session.created"
	}
	return s.tellSession(ctx, kind)
}

func (s *session) tellSession(ctx context.Context, kind string) error {
	return s.send(ctx, sessionEvent{event(kind), s.body(s.id, s.beta)})
}

func event(kind string) head { return head{EventID: name("event_"), Type: kind} }

// complain tells of a fault.
func (s *session) complain(ctx context.Context, f *fault) error {
	return s.send(ctx, errorEvent{event("error"), f.body()})
}

// handle does what one event of the client asks for.
func (s *session) handle(ctx context.Context, e clientEvent) error {
	var f *fault
	var err error
	switch e.Type {
	case clientAppend:
		return s.append(ctx, e)
	case clientBetaUpdate:
		var next settings
		if next, f = s.updateBeta(e.Session); f == nil {
			err = s.change(ctx, next, true)
		}
	case clientUpdate:
		var next settings
		if next, f = s.updatePresent(e.Session); f == nil {
			err = s.change(ctx, next, false)
		}
	case clientCommit:
		f, err = s.commit(ctx)
	case clientClear:
		err = s.clear(ctx)
	default:
		f = invalid("type", e.Type, clientBetaUpdate, clientUpdate, clientAppend, clientCommit, clientClear)
	}
	if f != nil {
		return s.complain(ctx, f.of(e))
	}
	return err
}

// change takes new settings, in the spelling that they came in from now on.
func (s *session) change(ctx context.Context, next settings, beta bool) error {
	if err := s.hear(ctx); err != nil {
		return err
	}
	if next.encoding != s.encoding {
		s.sound = newSound(next.encoding)
	}
	had := s.turns != nil
	s.settings, s.beta = next, beta
	switch {
	case s.turns == nil && s.hearing != nil:
		s.hearing, s.fresh = nil, 0
		s.forgetTurn()
	case s.turns != nil && !had:
		s.buffer, s.fresh = nil, 0
		s.release()
	case s.hearing != nil:
		if err := s.hearing.Tune(s.options(s.Limits.Partial)); err != nil {
			return err
		}
	}
	if beta {
		return s.tellSession(ctx, "transcription_session.updated")
	}
	return s.tellSession(ctx, "session.updated")
}

// hear listens to the sound that waits.
func (s *session) hear(ctx context.Context) error {
	for len(s.pending) > 0 && s.turns != nil {
		if err := s.listen(); err != nil {
			return err
		}
		n := min(len(s.pending), mergeSamples)
		if s.witness != nil {
			s.witness.Sound(s.pending[:n])
		}
		s.total += n
		events, err := s.hearing.Push(ctx, s.pending[:n])
		s.pending = s.pending[:copy(s.pending, s.pending[n:])]
		if tell := s.tell(ctx, events); tell != nil {
			return tell
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listen begins to hear.
func (s *session) listen() (err error) {
	if s.hearing == nil {
		s.origin, s.free = s.total, 0
		s.hearing, err = s.Hear(s.options(s.Limits.Partial))
	}
	return err
}

// commit ends what is being said: an item of its own.
func (s *session) commit(ctx context.Context) (*fault, error) {
	if err := s.hear(ctx); err != nil {
		return nil, err
	}
	if s.fresh < leastCommit {
		return &fault{Code: "input_audio_buffer_commit_empty", Message: fmt.Sprintf(
			"Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, "+
				"but buffer only has %.2fms of audio.", float64(s.fresh)*1000/audio.Rate)}, nil
	}
	if s.turns == nil {
		return nil, s.transcribe(ctx)
	}
	events, err := s.hearing.Flush(ctx)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 { // nobody spoke
		length := float64(s.fresh) / audio.Rate
		events = []engine.StreamEvent{{Type: engine.Final, Start: s.now() - length, End: s.now(), At: s.now()}}
	}
	for _, e := range events {
		if err := s.final(ctx, e, false); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// now is where in the hearing's sound the session is, in seconds.
func (s *session) now() float64 { return float64(s.total-s.origin) / audio.Rate }

// clear forgets what was not committed.
func (s *session) clear(ctx context.Context) error {
	if err := s.hear(ctx); err != nil {
		return err
	}
	if s.hearing != nil {
		s.hearing.Discard()
	}
	s.buffer, s.fresh = nil, 0
	s.forgetTurn()
	s.release()
	return s.send(ctx, event("input_audio_buffer.cleared"))
}

// transcribe hears what was kept for its commit.
func (s *session) transcribe(ctx context.Context) error {
	clip := s.buffer
	s.buffer, s.fresh, s.item = nil, 0, name("item_")
	defer s.release()
	if err := s.committed(ctx); err != nil {
		return err
	}
	start, length := float64(s.total-len(clip))/audio.Rate, float64(len(clip))/audio.Rate
	res, err := s.Transcribe(ctx, &kept{clip}, engine.Options{Phrases: s.phrases(), Priority: urgency(length)})
	if err != nil {
		return s.failed(ctx, err)
	}
	e := engine.StreamEvent{Type: engine.Final, Start: start, End: start + length, At: start + length, Text: res.Text}
	for _, segment := range res.Segments {
		e.Words = append(e.Words, segment.Words...)
	}
	return s.completed(ctx, e, length)
}

// longestLive is the longest sound between two commits that is somebody's turn in a conversation, in seconds.
const longestLive = 60

// urgency is the priority of so many seconds between two commits: a longer sound is a recording.
func urgency(seconds float64) engine.Priority {
	if seconds > longestLive {
		return engine.Upload
	}
	return engine.Live
}

// failed tells that an item could not be heard.
func (s *session) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, engine.ErrClosed) {
		return err
	}
	s.Log.Error("a realtime item was not heard", "session", s.id, "err", err)
	f := &fault{Type: "server_error", Code: "audio_unintelligible", Message: "The audio could not be transcribed."}
	item := s.item
	s.closeItem()
	return s.send(ctx, failedEvent{event(transcription + "failed"), item, 0, f.body()})
}

// closeItem makes the open item the one before the next.
func (s *session) closeItem() {
	item := s.item
	s.previous = &item
	s.forgetTurn()
	s.items++
}

// forgetTurn makes the next words a new turn's.
func (s *session) forgetTurn() { s.item, s.agreed, s.out = "", agreement{}, 0 }

// bye says why the server ends the session.
func (s *session) bye(ctx context.Context, f *fault) {
	ctx, cancel := context.WithTimeout(ctx, writePatience)
	defer cancel()
	_ = s.complain(ctx, f) // the client may be gone already
	_ = s.conn.Close(websocket.StatusGoingAway, f.Message)
}

// kept is sound in memory.
type kept struct{ rest []float32 }

// Read implements [engine.Source].
func (k *kept) Read(p []float32) (int, error) {
	n := copy(p, k.rest)
	k.rest = k.rest[n:]
	if n == 0 {
		return 0, errEnd
	}
	return n, nil
}

// Length tells the engine how much it will be.
func (k *kept) Length() (seconds float64, known bool) { return float64(len(k.rest)) / audio.Rate, true }

const writePatience = 10 * time.Second

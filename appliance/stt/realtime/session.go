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

// realtimeSession is one client's. Its fields belong to the worker.
type realtimeSession struct {
	*RealtimeService
	sessionSettings
	conn *websocket.Conn
	id   string
	beta bool // spelling
	who  auth.Principal

	ended atomic.Pointer[protocolError] // why the server ended the session from beside the worker; nil: it did not

	hearing LiveHearing    // nil until sound comes, or without turn detection
	witness SessionWitness // or nil
	sound   *soundDecoder
	pending []float32 // not heard yet
	total   int       // samples of the session
	origin  int       // sample at which hearing began
	fresh   int       // samples since the last commit or clearing
	buffer  []float32 // what waits for its commit, without turn detection
	kept    int       // samples of it that count among those of all sessions

	item     string // of the open turn
	agreed   stablePrefix
	out      int     // words of it that deltas have told
	previous *string // item before
	free     float64 // end of the turn before, in seconds
	items    int
}

func (s *RealtimeService) newSession(conn *websocket.Conn, who auth.Principal, beta bool) *realtimeSession {
	n := &realtimeSession{
		RealtimeService: s, sessionSettings: usualSettings(), conn: conn, id: newID("sess_"), beta: beta, who: who,
	}
	n.sound = newSound(n.encoding)
	if s.Witness != nil {
		n.witness = s.Witness(who)
	}
	return n
}

// newID makes an id.
func newID(prefix string) string {
	id := uuid.New()
	return fmt.Sprintf("%s%x", prefix, id[:])
}

// sendCreated tells of the new session.
func (s *realtimeSession) sendCreated(ctx context.Context) error {
	kind := "session.created"
	if s.beta {
		kind = "transcription_session.created"
	}
	return s.tellSession(ctx, kind)
}

func (s *realtimeSession) tellSession(ctx context.Context, kind string) error {
	return s.sendEvent(ctx, sessionEvent{newEventHeader(kind), s.sessionBody(s.id, s.beta)})
}

func newEventHeader(kind string) eventHeader {
	return eventHeader{EventID: newID("event_"), Type: kind}
}

// sendError tells of a fault.
func (s *realtimeSession) sendError(ctx context.Context, f *protocolError) error {
	return s.sendEvent(ctx, errorEvent{newEventHeader("error"), f.errorBody()})
}

// handleEvent does what one event of the client asks for.
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
		if next, f = s.updatePresent(e.Session); f == nil {
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

// applySettings takes new settings, in the spelling that they came in from now on.
func (s *realtimeSession) applySettings(ctx context.Context, next sessionSettings, beta bool) error {
	if err := s.hearSound(ctx); err != nil {
		return err
	}
	if next.encoding != s.encoding {
		s.sound = newSound(next.encoding)
	}
	had := s.turns != nil
	s.sessionSettings, s.beta = next, beta
	switch {
	case s.turns == nil && s.hearing != nil:
		s.hearing, s.fresh = nil, 0
		s.forgetTurn()
	case s.turns != nil && !had:
		s.buffer, s.fresh = nil, 0
		s.releaseSound()
	case s.hearing != nil:
		if err := s.hearing.Tune(s.streamOptions(s.Limits.Partial)); err != nil {
			return err
		}
	}
	if beta {
		return s.tellSession(ctx, "transcription_session.updated")
	}
	return s.tellSession(ctx, "session.updated")
}

// hearSound listens to the sound that waits.
func (s *realtimeSession) hearSound(ctx context.Context) error {
	for len(s.pending) > 0 && s.turns != nil {
		if err := s.openHearing(); err != nil {
			return err
		}
		n := min(len(s.pending), mergeSamples)
		if s.witness != nil {
			s.witness.AddSound(s.pending[:n])
		}
		s.total += n
		events, err := s.hearing.Push(ctx, s.pending[:n])
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

// openHearing begins to hear.
func (s *realtimeSession) openHearing() (err error) {
	if s.hearing == nil {
		s.origin, s.free = s.total, 0
		s.hearing, err = s.Hear(s.streamOptions(s.Limits.Partial))
	}
	return err
}

// commitBuffer ends what is being said: an item of its own.
func (s *realtimeSession) commitBuffer(ctx context.Context) (*protocolError, error) {
	if err := s.hearSound(ctx); err != nil {
		return nil, err
	}
	if s.fresh < leastCommit {
		return &protocolError{Code: "input_audio_buffer_commit_empty", Message: fmt.Sprintf(
			"Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, "+
				"but buffer only has %.2fms of audio.", float64(s.fresh)*1000/audio.Rate)}, nil
	}
	if s.turns == nil {
		return nil, s.transcribeKept(ctx)
	}
	events, err := s.hearing.Flush(ctx)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 { // nobody spoke
		length := float64(s.fresh) / audio.Rate
		events = []engine.StreamEvent{{Type: engine.Final, Start: s.hearingTime() - length, End: s.hearingTime(), At: s.hearingTime()}}
	}
	for _, e := range events {
		if err := s.finishTurn(ctx, e, false); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// hearingTime is where in the hearing's sound the session is, in seconds.
func (s *realtimeSession) hearingTime() float64 { return float64(s.total-s.origin) / audio.Rate }

// clearBuffer forgets what was not committed.
func (s *realtimeSession) clearBuffer(ctx context.Context) error {
	if err := s.hearSound(ctx); err != nil {
		return err
	}
	if s.hearing != nil {
		s.hearing.Discard()
	}
	s.buffer, s.fresh = nil, 0
	s.forgetTurn()
	s.releaseSound()
	return s.sendEvent(ctx, newEventHeader("input_audio_buffer.cleared"))
}

// transcribeKept hears what was kept for its commit.
func (s *realtimeSession) transcribeKept(ctx context.Context) error {
	clip := s.buffer
	s.buffer, s.fresh, s.item = nil, 0, newID("item_")
	defer s.releaseSound()
	if err := s.sendCommitted(ctx); err != nil {
		return err
	}
	start, length := float64(s.total-len(clip))/audio.Rate, float64(len(clip))/audio.Rate
	res, err := s.Transcribe(ctx, &soundBuffer{clip}, engine.TranscribeOptions{Phrases: s.biasPhrases(), Priority: commitPriority(length)})
	if err != nil {
		return s.sendFailed(ctx, err)
	}
	e := engine.StreamEvent{Type: engine.Final, Start: start, End: start + length, At: start + length, Text: res.Text}
	for _, segment := range res.Segments {
		e.Words = append(e.Words, segment.Words...)
	}
	return s.sendCompleted(ctx, e, length)
}

// longestLive is the longest sound between two commits that is somebody's turn in a conversation, in seconds.
const longestLive = 60

// commitPriority is the priority of so many seconds between two commits: a longer sound is a recording.
func commitPriority(seconds float64) engine.QueuePriority {
	if seconds > longestLive {
		return engine.Upload
	}
	return engine.Live
}

// sendFailed tells that an item could not be heard.
func (s *realtimeSession) sendFailed(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, engine.ErrClosed) {
		return err
	}
	s.Log.Error("a realtime item was not heard", "session", s.id, "err", err)
	f := &protocolError{Type: "server_error", Code: "audio_unintelligible", Message: "The audio could not be transcribed."}
	item := s.item
	s.closeItem()
	return s.sendEvent(ctx, failedEvent{newEventHeader(transcription + "failed"), item, 0, f.errorBody()})
}

// closeItem makes the open item the one before the next.
func (s *realtimeSession) closeItem() {
	item := s.item
	s.previous = &item
	s.forgetTurn()
	s.items++
}

// forgetTurn makes the next words a new turn's.
func (s *realtimeSession) forgetTurn() { s.item, s.agreed, s.out = "", stablePrefix{}, 0 }

// sendClosing says why the server ends the session.
func (s *realtimeSession) sendClosing(ctx context.Context, f *protocolError) {
	ctx, cancel := context.WithTimeout(ctx, writePatience)
	defer cancel()
	_ = s.sendError(ctx, f) // the client may be gone already
	_ = s.conn.Close(websocket.StatusGoingAway, f.Message)
}

// soundBuffer is sound in memory.
type soundBuffer struct{ rest []float32 }

// Read implements [engine.SampleSource].
func (k *soundBuffer) Read(p []float32) (int, error) {
	n := copy(p, k.rest)
	k.rest = k.rest[n:]
	if n == 0 {
		return 0, errEnd
	}
	return n, nil
}

// Length tells the engine how much it will be.
func (k *soundBuffer) Length() (seconds float64, known bool) {
	return float64(len(k.rest)) / audio.Rate, true
}

const writePatience = 10 * time.Second

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
	leastCommit  = audio.Rate / 10 // minimum commit in samples: 100 ms
	mergeSamples = 2 * audio.Rate  // queued audio is processed in pieces of at most this
)

// realtimeSession is one client's session. Its fields belong to the worker.
type realtimeSession struct {
	*RealtimeService
	sessionSettings
	conn *websocket.Conn
	id   string
	beta bool // beta event names
	who  auth.Principal

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

// applySettings applies new settings; later events use the spelling of the update.
func (s *realtimeSession) applySettings(ctx context.Context, next sessionSettings, beta bool) error {
	if err := s.processPending(ctx); err != nil {
		return err
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

// commitBuffer commits the open utterance as an item.
func (s *realtimeSession) commitBuffer(ctx context.Context) (*protocolError, error) {
	if err := s.processPending(ctx); err != nil {
		return nil, err
	}
	if s.fresh < leastCommit {
		return &protocolError{Code: "input_audio_buffer_commit_empty", Message: fmt.Sprintf(
			"Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, "+
				"but buffer only has %.2fms of audio.", float64(s.fresh)*1000/audio.Rate)}, nil
	}
	s.sound.dropHalf()
	if s.turns == nil {
		return nil, s.transcribeBuffer(ctx)
	}
	events, err := s.stream.Flush(ctx)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 { // no speech
		length := float64(s.fresh) / audio.Rate
		events = []engine.StreamEvent{
			{Type: engine.Final, Start: s.streamTime() - length, End: s.streamTime(), At: s.streamTime()},
		}
	}
	for _, e := range events {
		if err := s.finishTurn(ctx, e, false); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// streamTime returns the session's position in the recognition stream, in seconds.
func (s *realtimeSession) streamTime() float64 { return float64(s.total-s.origin) / audio.Rate }

// clearBuffer discards uncommitted audio.
func (s *realtimeSession) clearBuffer(ctx context.Context) error {
	if err := s.processPending(ctx); err != nil {
		return err
	}
	s.sound.dropHalf()
	if s.stream != nil {
		s.stream.Discard()
	}
	s.buffer, s.fresh = nil, 0
	s.forgetTurn()
	s.releaseSound()
	return s.sendEvent(ctx, newEventHeader("input_audio_buffer.cleared"))
}

// transcribeBuffer transcribes the committed buffer.
func (s *realtimeSession) transcribeBuffer(ctx context.Context) error {
	clip := s.buffer
	s.buffer, s.fresh, s.item = nil, 0, newID("item_")
	defer s.releaseSound()
	if err := s.sendCommitted(ctx); err != nil {
		return err
	}
	start, length := float64(s.total-len(clip))/audio.Rate, float64(len(clip))/audio.Rate
	res, err := s.Transcribe(
		ctx,
		&soundBuffer{clip},
		engine.TranscribeOptions{Phrases: s.biasPhrases(), Priority: commitPriority(length)},
	)
	if err != nil {
		return s.sendFailed(ctx, err)
	}
	e := engine.StreamEvent{Type: engine.Final, Start: start, End: start + length, At: start + length, Text: res.Text}
	for _, segment := range res.Segments {
		e.Words = append(e.Words, segment.Words...)
	}
	return s.sendCompleted(ctx, e, length)
}

// longestLive is the maximum duration between two commits with live priority, in seconds.
const longestLive = 60

// commitPriority returns the queue priority of a commit: longer audio counts as an upload.
func commitPriority(seconds float64) engine.QueuePriority {
	if seconds > longestLive {
		return engine.Upload
	}
	return engine.Live
}

// sendFailed sends a transcription failure of an item.
func (s *realtimeSession) sendFailed(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, engine.ErrClosed) {
		return err
	}
	s.Log.Error("a realtime item could not be transcribed", "session", s.id, "err", err)
	f := &protocolError{Type: "server_error", Code: "audio_unintelligible", Message: "The audio could not be transcribed."}
	item := s.item
	s.closeItem()
	return s.sendEvent(ctx, failedEvent{newEventHeader(transcription + "failed"), item, 0, f.errorBody()})
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

// soundBuffer is audio in memory.
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

// Length returns the duration in seconds.
func (k *soundBuffer) Length() (seconds float64, known bool) {
	return float64(len(k.rest)) / audio.Rate, true
}

const writeTimeout = 10 * time.Second

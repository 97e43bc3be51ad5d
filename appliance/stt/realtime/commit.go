package realtime

import (
	"context"
	"errors"
	"fmt"

	"munadi/engine"
	"munadi/engine/audio"
)

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
		engine.NewSampleReader(clip),
		engine.TranscribeOptions{
			Phrases: s.biasPhrases(), Priority: commitPriority(length), Language: s.language,
		},
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

package realtime

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"munadi/appliance/quota"
	"munadi/engine/audio"
)

// pieceBytes is the decoding buffer for an event's audio.
const pieceBytes = 48 << 10

// appendAudio appends audio, which is processed when no further event is queued. An event is accepted completely or
// refused.
func (s *realtimeSession) appendAudio(ctx context.Context, e clientEvent) error {
	if e.Audio == nil {
		return s.sendError(ctx, newMissingParam("audio").withEvent(e))
	}
	size, err := io.Copy(io.Discard, decodeBase64(*e.Audio))
	if err != nil {
		f := &protocolError{
			Code:    "invalid_value",
			Param:   "audio",
			Message: "Invalid 'audio'. Expected base64-encoded audio bytes.",
		}
		return s.sendError(ctx, f.withEvent(e))
	}
	if s.turns == nil {
		if f := s.reserveSound(s.sound.samplesOf(size)); f != nil {
			return s.sendError(ctx, f.withEvent(e))
		}
		defer func() { s.countUncommitted(len(s.buffer)) }() // actual number after resampling
	}
	return s.receiveAudio(ctx, decodeBase64(*e.Audio))
}

func decodeBase64(text string) io.Reader {
	return base64.NewDecoder(base64.StdEncoding, strings.NewReader(text))
}

// receiveAudio processes audio, or buffers it until it is committed.
func (s *realtimeSession) receiveAudio(ctx context.Context, sound io.Reader) error {
	for piece := make([]byte, pieceBytes); ; {
		n, err := io.ReadFull(sound, piece)
		before := len(s.pending)
		s.pending = s.sound.appendSamples(s.pending, piece[:n])
		s.fresh += len(s.pending) - before
		switch {
		case s.turns == nil:
			s.bufferAudio()
		case len(s.pending) >= mergeSamples:
			if err := s.processPending(ctx); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// reserveSound reserves buffer space for uncommitted audio, or returns an error with advice.
func (s *realtimeSession) reserveSound(samples int) *protocolError {
	full := func(format string, most any) *protocolError {
		return &protocolError{Code: "input_audio_buffer_full", Param: "audio", Message: fmt.Sprintf(format, most)}
	}
	if most := s.Limits.Buffer; s.kept+samples > inSamples(most.Seconds()) {
		return full("The input audio buffer holds %v at most; commit or clear it.", most)
	}
	switch err := s.held.TakeUnits(s.who.OrgID, samples); {
	case errors.Is(err, quota.ErrShareTaken):
		return full("The sessions of your organization have reached the limit of %v of uncommitted audio; "+
			"commit or clear a buffer, or try again later.", min(s.Limits.Buffers, s.Limits.BuffersShare))
	case errors.Is(err, quota.ErrAllTaken):
		return full("All open sessions together have reached the limit of %v of uncommitted audio; "+
			"commit or clear your buffer, or try again later.", s.Limits.Buffers)
	}
	s.kept += samples
	return nil
}

// countUncommitted updates the amount of uncommitted audio.
func (s *realtimeSession) countUncommitted(samples int) {
	s.held.ReleaseUnits(s.who.OrgID, s.kept-samples)
	s.kept = samples
}

// releaseSound releases the space of committed or cleared audio.
func (s *realtimeSession) releaseSound() { s.countUncommitted(0) }

func inSamples(seconds float64) int { return int(seconds * audio.Rate) }

// bufferAudio buffers audio.
func (s *realtimeSession) bufferAudio() {
	if s.observer != nil {
		s.observer.AddSound(s.pending)
	}
	s.total += len(s.pending)
	s.buffer, s.pending = append(s.buffer, s.pending...), s.pending[:0]
}

package realtime

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"munadi/engine/audio"
)

// pieceBytes of an event's sound are in memory decoded, whatever its size.
const pieceBytes = 48 << 10

// append takes sound; it is heard when no more of it waits. An event is taken whole or not at all.
func (s *session) append(ctx context.Context, e clientEvent) error {
	if e.Audio == nil {
		return s.complain(ctx, absent("audio").of(e))
	}
	size, err := io.Copy(io.Discard, decoded(*e.Audio))
	if err != nil {
		f := &fault{Code: "invalid_value", Param: "audio", Message: "Invalid 'audio'. Expected base64-encoded audio bytes."}
		return s.complain(ctx, f.of(e))
	}
	if s.turns == nil {
		if f := s.reserve(s.sound.samplesOf(size)); f != nil {
			return s.complain(ctx, f.of(e))
		}
		defer func() { s.count(len(s.buffer)) }() // what the resampler made of it
	}
	return s.take(ctx, decoded(*e.Audio))
}

func decoded(text string) io.Reader {
	return base64.NewDecoder(base64.StdEncoding, strings.NewReader(text))
}

// take hears sound, or puts it aside until it is committed.
func (s *session) take(ctx context.Context, sound io.Reader) error {
	for piece := make([]byte, pieceBytes); ; {
		n, err := io.ReadFull(sound, piece)
		before := len(s.pending)
		s.pending = s.sound.push(s.pending, piece[:n])
		s.fresh += len(s.pending) - before
		switch {
		case s.turns == nil:
			s.keep()
		case len(s.pending) >= mergeSamples:
			if err := s.hear(ctx); err != nil {
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

// reserve takes room for sound that waits for its commit, or says what to do without it.
func (s *session) reserve(samples int) *fault {
	full := func(format string, most any) *fault {
		return &fault{Code: "input_audio_buffer_full", Param: "audio", Message: fmt.Sprintf(format, most)}
	}
	if most := s.Limits.Buffer; s.kept+samples > inSamples(most.Seconds()) {
		return full("The input audio buffer holds %v at most; commit or clear it.", most)
	}
	if most := s.Limits.Buffers; s.held.Add(int64(samples)) > int64(inSamples(most.Seconds())) {
		s.held.Add(-int64(samples))
		return full("The sessions that are open hold %v of uncommitted audio together, as much as they may; "+
			"commit or clear your buffer, or try again later.", most)
	}
	s.kept += samples
	return nil
}

// count sets what the session holds of uncommitted sound.
func (s *session) count(samples int) {
	s.held.Add(int64(samples - s.kept))
	s.kept = samples
}

// release gives back the room of what has been committed or cleared.
func (s *session) release() { s.count(0) }

func inSamples(seconds float64) int { return int(seconds * audio.Rate) }

// keep puts sound aside.
func (s *session) keep() {
	if s.witness != nil {
		s.witness.Sound(s.pending)
	}
	s.total += len(s.pending)
	s.buffer, s.pending = append(s.buffer, s.pending...), s.pending[:0]
}

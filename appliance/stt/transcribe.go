package stt

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/stt/edge"
	"munadi/appliance/stt/mode"
	"munadi/appliance/stt/realtime"
	"munadi/engine"
	"munadi/store/restaurant"
)

const headerMode = "X-Session-Mode"

// transcriptions is POST /compat/v1/audio/transcriptions.
func (s *Service) transcriptions(c echo.Context) error {
	var f transcriptionForm
	if err := s.receive(c, s.decoder(), &f); err != nil {
		return err
	}
	defer f.File.Close() //nolint:errcheck // nameless: it goes with its descriptor
	ctx, stop := s.decoding(c)
	defer stop()
	turn, err := s.modes.Begin(ctx, principal(c).OrgID, f.SessionID, restaurant.Mode(f.SessionMode))
	if err != nil {
		return err
	}
	c.Response().Header().Set(headerMode, string(turn.Mode))
	sound, err := f.File.Open()
	if err != nil {
		return err
	}
	w := work{
		sound: sound, turn: turn, order: f.order(turn.Mode), priority: engine.Upload, longest: s.bounds().Duration,
	}
	if f.Stream || wantsEvents(c.Request()) {
		return s.stream(ctx, c, w)
	}
	t, err := s.transcribe(ctx, w)
	if err != nil {
		return s.explain(failure(ctx, err), s.decoder(), w.longest)
	}
	s.endTurn(c, turn, t)
	return t.answer(c, f.ResponseFormat)
}

// work is one recording to be transcribed.
type work struct {
	sound    io.ReadSeeker
	turn     *mode.Turn
	order    order
	priority engine.Priority
	longest  time.Duration
	piece    func(p piece) error          // called with each piece of text; nil = nobody waits
	progress func(decoded, heard float64) // seconds; nil = nobody asks
}

// piece is text as it becomes final.
type piece struct {
	delta    string
	logprobs []realtime.Logprob // nil unless asked for
}

// transcript is what became of it, as the client sees it.
type transcript struct {
	text     strings.Builder // segments' texts joined by one space: exactly the deltas given out
	heard    strings.Builder // the same before numbers became digits
	segments []engine.Segment
	duration float64
	logprobs []realtime.Logprob // nil unless asked for
}

// transcribe decodes a recording. The text is built from the segments in the order in which they come, so that a
// stream's deltas and its final text cannot differ.
func (s *Service) transcribe(ctx context.Context, w work) (_ *transcript, err error) {
	src, err := s.Open(ctx, w.sound, w.longest)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	t := &transcript{}
	if w.order.Logprobs {
		t.logprobs = []realtime.Logprob{}
	}
	result, err := s.Recognizer.Transcribe(ctx, src, engine.Options{
		Phrases:    slices.Concat(w.order.Phrases, w.turn.Phrases(), w.turn.Cues()),
		Priority:   w.priority,
		OnProgress: w.progress,
		OnSegment:  func(seg engine.Segment) error { return t.add(seg, w) },
	})
	if err != nil {
		return nil, err
	}
	t.duration = result.Duration
	s.Metrics.Decoded(w.priority, result.Duration, result.Timings)
	return t, nil
}

func (t *transcript) add(seg engine.Segment, w work) error {
	join(&t.heard, seg.Text)
	seg = w.turn.Format(seg)
	t.segments = append(t.segments, seg)
	p := piece{}
	first := t.text.Len() == 0
	if p.delta = join(&t.text, seg.Text); p.delta == "" {
		return nil
	}
	if t.logprobs != nil {
		p.logprobs = realtime.Logprobs(seg.Words, first)
		t.logprobs = append(t.logprobs, p.logprobs...)
	}
	if w.piece == nil {
		return nil
	}
	return w.piece(p)
}

// join adds text to b behind one space and returns what it added.
func join(b *strings.Builder, text string) string {
	if text != "" && b.Len() > 0 {
		text = " " + text
	}
	b.WriteString(text)
	return text
}

// endTurn lets the session hear the transcript. The client has its text even if the session can't be kept, and
// whether it still listens makes no difference.
func (s *Service) endTurn(c echo.Context, turn *mode.Turn, t *transcript) {
	if err := turn.End(context.WithoutCancel(c.Request().Context()), t.heard.String()); err != nil {
		edge.Note(c, "session_error", err)
	}
}

func (t *transcript) answer(c echo.Context, format string) error {
	if format == "text" {
		return c.Blob(http.StatusOK, "text/plain; charset=utf-8", []byte(t.text.String()+"\n"))
	}
	return c.JSON(http.StatusOK, t.body(format))
}

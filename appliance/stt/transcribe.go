package stt

import (
	"context"
	"io"
	"net/http"
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
	return answer(c, t.verbose().body(w.order.Format, w.order.Logprobs))
}

// work is one recording to be transcribed.
type work struct {
	sound    io.ReadSeeker
	turn     *mode.Turn
	order    order
	priority engine.Priority
	longest  time.Duration
	piece    func(p piece) error // called with each piece of text; nil = nobody waits
	// progress is told what share of the sound heard so far is decoded, in which of how many passes over the recording;
	// nil: nobody asks.
	progress func(share float64, pass, passes int)
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
	segments []channelSegment
	duration float64
}

// transcribe decodes a recording. The text is built from the segments in the order in which they come, so that a
// stream's deltas and its final text cannot differ.
func (s *Service) transcribe(ctx context.Context, w work) (t *transcript, err error) {
	t = &transcript{}
	if w.order.Channels == separate {
		return t, s.hearSeparately(ctx, w, t)
	}
	only := adder{func(seg engine.Segment) error { return t.add(seg, nil, w) }}
	t.duration, err = s.hearChannel(ctx, w, Channels(w.order.Channels)[0], 0, 1, only)
	return t, err
}

// add appends a segment of a channel.
func (t *transcript) add(seg engine.Segment, channel *int, w work) error {
	join(&t.heard, seg.Text)
	seg = w.turn.Format(seg)
	seg.ID = len(t.segments)
	t.segments = append(t.segments, channelSegment{seg, channel})
	first := t.text.Len() == 0
	delta := join(&t.text, seg.Text)
	if delta == "" || w.piece == nil {
		return nil
	}
	p := piece{delta: delta}
	if w.order.Logprobs {
		p.logprobs = realtime.Logprobs(seg.Words, first)
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

// answer writes a transcript's body: text as it is, everything else as JSON.
func answer(c echo.Context, body any) error {
	if text, ok := body.(string); ok {
		return c.Blob(http.StatusOK, "text/plain; charset=utf-8", []byte(text))
	}
	return c.JSON(http.StatusOK, body)
}

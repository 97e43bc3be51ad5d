package stt

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/recognizer"
	"munadi/appliance/stt/realtime"
	"munadi/appliance/stt/restaurantmode"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/store/restaurant"
)

const (
	headerMode  = "X-Session-Mode"
	headerModel = "Openai-Model" // OpenAI's; the model in use, whatever the request calls it
)

// createTranscription handles POST /audio/transcriptions of a face.
func (s *TranscriptionService) createTranscription(face apiFace) echo.HandlerFunc {
	return func(c echo.Context) error {
		f, limits := transcriptionForm{face: face, wantsEvents: wantsEvents(c.Request())}, s.formDecoder()
		limits.Rules = s.formRules(face)
		if err := s.readForm(c, limits, &f); err != nil {
			return err
		}
		defer f.File.Close() //nolint:errcheck // the file has no name: closing it frees it
		return s.transcribeForm(c, &f)
	}
}

// transcribeForm answers the valid form of a request.
func (s *TranscriptionService) transcribeForm(c echo.Context, f *transcriptionForm) error {
	ctx, stop := s.decodingContext(c)
	defer stop()
	if err := s.checkDiarizable(ctx, f); err != nil {
		return s.explainError(decodingError(ctx, err), s.formDecoder(), s.currentLimits().Duration)
	}
	turn, err := s.modes.BeginTurn(ctx, requestPrincipal(c).OrgID, f.SessionID, restaurant.SessionMode(f.SessionMode))
	if err != nil {
		return err
	}
	c.Response().Header().Set(headerMode, string(turn.Mode))
	sound, err := f.File.Open()
	if err != nil {
		return err
	}
	w := transcriptionWork{sound: sound, turn: turn, priority: engine.Upload, longest: s.currentLimits().Duration}
	if w.order, err = s.orderOf(ctx, requestPrincipal(c).OrgID, f, turn.Mode); err != nil {
		return err
	}
	if serving := s.servingModel(); f.face == openAIFace && serving != "" {
		c.Response().Header().Set(headerModel, serving)
	}
	if f.Stream || f.wantsEvents {
		return s.streamTranscript(ctx, c, w)
	}
	t, err := s.transcribeWork(ctx, w)
	if err != nil {
		return s.explainError(decodingError(ctx, err), s.formDecoder(), w.longest)
	}
	s.endTurn(c, turn, t)
	kind, content, err := t.verboseBody().encodeBody(w.order)
	if err != nil {
		return err
	}
	return c.Blob(http.StatusOK, kind, content)
}

// transcriptionWork is one recording to be transcribed.
type transcriptionWork struct {
	sound    io.ReadSeeker
	turn     *restaurantmode.ModeTurn
	order    transcriptionOrder
	priority engine.QueuePriority
	longest  time.Duration
	echoes   ChannelEchoes           // of separate channels
	piece    func(p textPiece) error // called with each piece of text; may be nil
	// progress receives the decoded share of the audio, in pass of passes over the recording; may be nil.
	progress func(share float64, pass, passes int)
}

// textPiece is a piece of final text.
type textPiece struct {
	delta    string
	logprobs []realtime.WordLogprob // nil unless requested
}

// clientTranscript is the result as the client gets it.
type clientTranscript struct {
	text     strings.Builder // segments' texts joined by a space: exactly the streamed deltas
	heard    strings.Builder // the same before numbers became digits
	segments []channelSegment
	held     []channelSegment // not formatted yet: a number may go on in the next one
	duration float64
	language string // that was asked for; empty: ar
}

// transcribeWork decodes a recording. The text is built from the segments in order, so that a stream's deltas and its
// final text are equal.
func (s *TranscriptionService) transcribeWork(ctx context.Context, w transcriptionWork) (*clientTranscript, error) {
	t := &clientTranscript{language: w.order.Language}
	channels := ChannelsOf(w.order.Channels)
	var err error
	if channels[0] != audio.MixChannels {
		if w.echoes, err = s.findEchoes(ctx, w); err != nil {
			return nil, err
		}
	}
	if len(channels) > 1 {
		err = s.transcribeSeparately(ctx, w, t)
	} else {
		only := segmentAdder{func(seg engine.Segment) error { return t.addSegment(seg, nil, w) }}
		t.duration, err = s.transcribeChannel(ctx, w, channels[0], 0, 1, only)
	}
	if err == nil {
		err = t.flushHeld(w)
	}
	return t, err
}

// findEchoes finds the echoes in a recording. Few recordings are searched at once: each takes up to 30 MB, and
// processor time that the engine's queue does not count.
func (s *TranscriptionService) findEchoes(ctx context.Context, w transcriptionWork) (ChannelEchoes, error) {
	org := engine.ClientOf(ctx).Organization
	if err := s.searches.AcquireSlot(ctx, org); err != nil {
		return nil, err
	}
	defer s.searches.ReleaseSlot(org)
	return FindEchoes(func(c audio.ChannelChoice) (recognizer.OpenedSound, error) {
		return s.Open(ctx, w.sound, w.longest, c)
	})
}

// appendFormatted appends a segment in the form that the client asked for.
func (t *clientTranscript) appendFormatted(seg engine.Segment, channel *int, w transcriptionWork) error {
	seg = w.turn.FormatSegment(seg)
	seg.ID = len(t.segments)
	t.segments = append(t.segments, channelSegment{seg, channel})
	first := t.text.Len() == 0
	delta := appendSpaced(&t.text, seg.Text)
	if delta == "" || w.piece == nil {
		return nil
	}
	p := textPiece{delta: delta}
	if w.order.Logprobs {
		p.logprobs = realtime.WordLogprobs(seg.Words, first)
	}
	return w.piece(p)
}

// appendSpaced appends text to b after a space and returns what it appended.
func appendSpaced(b *strings.Builder, text string) string {
	if text != "" && b.Len() > 0 {
		text = " " + text
	}
	b.WriteString(text)
	return text
}

// endTurn updates the session's mode with the transcript. Errors are only logged, and a disconnected client makes no
// difference.
func (s *TranscriptionService) endTurn(c echo.Context, turn *restaurantmode.ModeTurn, t *clientTranscript) {
	if err := turn.EndTurn(context.WithoutCancel(c.Request().Context()), t.heard.String()); err != nil {
		middleware.AddLogAttribute(c, "session_error", err)
	}
}

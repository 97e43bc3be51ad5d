package speech

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/multipartform"
	"munadi/appliance/quota"
	"munadi/appliance/tts"
	"munadi/engine/arabic"
	"munadi/engine/audio"
	"munadi/store/excerpt"
)

const (
	pieceLength = 400              // characters that are spoken at once
	piecePause  = tts.WideRate / 5 // samples between two pieces: 200 ms
	retryLater  = 10 * time.Second // Retry-After of a refusal
)

var (
	errTooSlow = errors.New("the text was not spoken in time")
	errTooLong = errors.New("the speech is too long")
)

// unspokenError is a piece of the text that the voice cannot speak; its message, which is logged, does not hold it.
type unspokenError struct {
	piece string
	cause error
}

func (e *unspokenError) Error() string {
	return fmt.Sprintf("speak %d characters: %v", utf8.RuneCountInString(e.piece), e.cause)
}
func (e *unspokenError) Unwrap() error { return e.cause }

// speakText speaks a text piece by piece and yields the samples of each at [tts.WideRate]; the first piece of a
// response that is streamed is a sentence. An error is the last, and the client's unless the response has begun.
func (s *SpeechService) speakText(ctx context.Context, org string, o speechOrder) iter.Seq2[[]int16, error] {
	return func(yield func([]int16, error) bool) {
		pieces := splitText(o.text, pieceLength)
		if o.isStreamed() {
			pieces = splitFirst(pieces)
		}
		left, most := maxTime, int(maxSpeech.Seconds())*tts.WideRate // most: samples
		for i, piece := range pieces {
			begun := time.Now()
			timed, cancel := context.WithTimeoutCause(ctx, left, errTooSlow)
			wide, err := s.speakPiece(timed, org, piece, o.voice)
			if i > 0 {
				wide = append(make([]int16, piecePause), wide...)
			}
			if most -= len(wide); err == nil && most < 0 {
				err = errTooLong
			}
			switch {
			case err == nil:
			case i > 0 && o.isStreamed():
				err = errors.Join(err, context.Cause(timed)) // for the log
			default:
				err = explainError(timed, o, err)
			}
			cancel()
			left -= time.Since(begun) // not what the client took to read the piece before
			if !yield(wide, err) || err != nil {
				return
			}
		}
	}
}

// speakPiece speaks a piece when it is the organization's turn, and returns the samples at [tts.WideRate].
func (s *SpeechService) speakPiece(ctx context.Context, org, piece string, voice tts.NamedVoice) ([]int16, error) {
	if err := s.slots.AcquireSlot(ctx, org); err != nil {
		return nil, err
	}
	defer s.slots.ReleaseSlot(org)
	sound, err := s.Speaker().Speak(ctx, tts.SpeechRequest{
		OrgID: org, Text: piece, Voice: voice.Voice, Source: voice.Source, Transient: true,
	})
	if err != nil {
		return nil, &unspokenError{piece, err}
	}
	return widen(sound), nil
}

// widen returns the samples of a sound at [tts.WideRate].
func widen(sound tts.SpokenSound) []int16 {
	if sound.Wide != nil {
		return sound.Wide
	}
	r := audio.NewResampler(tts.Rate, tts.WideRate)
	return audio.AppendInt16(nil, r.Flush(r.Push(nil, audio.ToFloats(sound.PCM))))
}

// splitText splits a text into pieces of at most length characters that have words: at the ends of sentences, else at
// other pauses, else between words, else anywhere.
func splitText(text string, length int) []string {
	var pieces []string
	for text != "" {
		end := len(text)
		if utf8.RuneCountInString(text) > length {
			end = breakPoint(text, length)
		}
		if piece := strings.TrimSpace(text[:end]); arabic.FoldSpelling(piece) != "" {
			pieces = append(pieces, piece)
		}
		text = text[end:]
	}
	return pieces
}

// splitFirst cuts the first sentence off the first piece, if it is no abbreviation.
func splitFirst(pieces []string) []string {
	const shortest = 20 // characters
	if len(pieces) == 0 {
		return pieces
	}
	first := pieces[0]
	for at, r := range first {
		end := at + utf8.RuneLen(r)
		if strings.ContainsRune(".!?؟\n", r) && strings.HasPrefix(strings.TrimLeft(first[end:], "\n"), " ") &&
			utf8.RuneCountInString(first[:end]) >= shortest {
			return append(splitText(first[:end], pieceLength), append(splitText(first[end:], pieceLength), pieces[1:]...)...)
		}
	}
	return pieces
}

// breakPoint returns the length in bytes of the first piece of a text that is longer than length characters.
func breakPoint(text string, length int) int {
	most := 0
	for range length {
		_, size := utf8.DecodeRuneInString(text[most:])
		most += size
	}
	for _, marks := range []string{".!?؟\n", "،؛,;:", " \t"} {
		if at := strings.LastIndexAny(text[:most], marks); at > 0 {
			_, size := utf8.DecodeRuneInString(text[at:])
			return at + size
		}
	}
	return most
}

// explainError turns an error of speaking into the client's.
func explainError(ctx context.Context, o speechOrder, err error) error {
	var unspoken *unspokenError
	switch {
	case errors.Is(context.Cause(ctx), errTooSlow):
		return &middleware.HTTPProblem{
			Status: http.StatusServiceUnavailable, RetryAfter: retryLater, Err: err,
			Detail: "The text was not spoken within two minutes; try again later, or send less text",
		}
	case errors.Is(err, errTooLong):
		return multipartform.ValidationError{newViolation("input", fmt.Sprintf(
			"The speech would be longer than %g minutes: send the text in parts", maxSpeech.Minutes()))}
	case errors.Is(err, tts.ErrVoiceFailed):
		return &middleware.HTTPProblem{
			Status: http.StatusServiceUnavailable, RetryAfter: retryLater, Err: err,
			Detail: "The voice failed, or recovers from a failure; try again later, or choose another voice",
		}
	case errors.Is(err, tts.ErrNoVoice) && ctx.Err() == nil && errors.As(err, &unspoken):
		return multipartform.ValidationError{newViolation("input", fmt.Sprintf(
			"The voice '%s' cannot speak this text: %s. GET /v1/audio/voices lists the voices; espeak-ng, where it is "+
				"installed, speaks any", o.voice.ID, excerpt.TruncateText(unspoken.piece, 60)))}
	}
	return errors.Join(err, ctx.Err())
}

// queueFull returns the 429 of a request beyond the limits.
func queueFull(err error) error {
	problem := &middleware.HTTPProblem{
		Status: http.StatusTooManyRequests, RetryAfter: retryLater,
		Detail: "Too many texts wait to be spoken; try again later",
	}
	if errors.Is(err, quota.ErrShareTaken) {
		problem.Detail = fmt.Sprintf(
			"Your organization has reached its limit of %d texts that wait to be spoken; try again when one is", shareOfWait)
	}
	return problem
}

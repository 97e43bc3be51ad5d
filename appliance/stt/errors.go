package stt

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/multipartform"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/store"
)

// retryLater is the default Retry-After.
const retryLater = 10 * time.Second

func newUnavailable(why string) *middleware.HTTPProblem {
	return &middleware.HTTPProblem{Status: http.StatusServiceUnavailable, Detail: why, RetryAfter: retryLater}
}

func newDraining() *middleware.HTTPProblem { return newUnavailable("The service is shutting down") }

// explainError maps errors of lower layers to HTTP errors. Unknown errors are returned unchanged: a 500.
func (s *TranscriptionService) explainError(err error, limits multipartform.FormDecoder, longest time.Duration) error {
	var (
		bad  *audio.DecodeError
		busy *engine.ErrBusy
	)
	switch {
	case errors.Is(err, multipartform.ErrTooLarge):
		return tooLarge(limits.MaxFile)
	case errors.As(err, &bad) && bad.Code == audio.CodeTooLong:
		return tooLong(bad, longest)
	case errors.As(err, &bad) && bad.Code == audio.CodeChannel:
		return multipartform.ValidationError{{Type: string(bad.Code), Loc: []any{"body", "channels"}, Msg: bad.Message}}
	case errors.As(err, &bad):
		return &middleware.HTTPProblem{
			Status: http.StatusUnprocessableEntity, Detail: audioFault(string(bad.Code), bad.Message), Err: bad.Cause,
		}
	case errors.As(err, &busy):
		return &middleware.HTTPProblem{
			Status: http.StatusTooManyRequests, Detail: "The queue is full; try again later",
			RetryAfter: max(busy.RetryAfter, time.Second),
		}
	case errors.Is(err, engine.ErrClosed):
		return newDraining()
	case store.CodeOf(err) == store.CodeNotFound:
		return &middleware.HTTPProblem{Status: http.StatusNotFound, Detail: "Not Found"}
	}
	return err
}

func tooLarge(limit int64) *middleware.HTTPProblem {
	return &middleware.HTTPProblem{
		Status: http.StatusRequestEntityTooLarge,
		Detail: fmt.Sprintf("The file is larger than this endpoint accepts (%s)", formatSize(limit)),
	}
}

// formatSize formats bytes in the largest unit with a whole number.
func formatSize(bytes int64) string {
	switch {
	case bytes%(1<<20) == 0:
		return fmt.Sprint(bytes>>20, " MiB")
	case bytes%(1<<10) == 0:
		return fmt.Sprint(bytes>>10, " KiB")
	}
	return fmt.Sprint(bytes, " bytes")
}

// formatLength formats a duration in the largest unit with a whole number, seconds with their fraction.
func formatLength(d time.Duration) string {
	switch {
	case d%time.Hour == 0:
		return fmt.Sprintf("%g hours", d.Hours())
	case d%time.Minute == 0:
		return fmt.Sprintf("%g minutes", d.Minutes())
	}
	return fmt.Sprintf("%g seconds", d.Seconds())
}

func tooLong(err *audio.DecodeError, longest time.Duration) *middleware.HTTPProblem {
	return &middleware.HTTPProblem{
		Status: http.StatusRequestEntityTooLarge, Err: err.Cause,
		Detail: fmt.Sprintf("The recording is longer than this endpoint accepts (%s)", formatLength(longest)),
	}
}

// audioFault returns the 422 of a file that cannot be decoded.
func audioFault(kind, message string) multipartform.ValidationError {
	return multipartform.ValidationError{{Type: kind, Loc: []any{"body", "file"}, Msg: message}}
}

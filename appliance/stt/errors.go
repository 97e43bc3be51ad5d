package stt

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"munadi/appliance/stt/edge"
	"munadi/appliance/stt/form"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/store"
)

// retryLater is the Retry-After of refusals that don't know better.
const retryLater = 10 * time.Second

func unavailable(why string) *edge.Problem {
	return &edge.Problem{Status: http.StatusServiceUnavailable, Detail: why, RetryAfter: retryLater}
}

// explain turns what a layer below said into what the client sees. What it does not know stays as it is: a 500.
func (s *Service) explain(err error, limits form.Decoder, longest time.Duration) error {
	var (
		bad  *audio.Error
		busy *engine.ErrBusy
	)
	switch {
	case errors.Is(err, form.ErrTooLarge):
		return tooLarge(limits.MaxFile)
	case errors.As(err, &bad) && bad.Code == audio.CodeTooLong:
		return tooLong(bad, longest)
	case errors.As(err, &bad) && bad.Code == audio.CodeChannel:
		return form.Invalid{{Type: string(bad.Code), Loc: []any{"body", "channels"}, Msg: bad.Message}}
	case errors.As(err, &bad):
		return &edge.Problem{
			Status: http.StatusUnprocessableEntity, Detail: audioFault(string(bad.Code), bad.Message), Err: bad.Cause,
		}
	case errors.As(err, &busy):
		return &edge.Problem{
			Status: http.StatusTooManyRequests, Detail: "The queue is full; try again later",
			RetryAfter: max(busy.RetryAfter, time.Second),
		}
	case errors.Is(err, engine.ErrClosed):
		return unavailable("The service is shutting down")
	case store.CodeOf(err) == store.CodeNotFound:
		return &edge.Problem{Status: http.StatusNotFound, Detail: "Not Found"}
	}
	return err
}

func tooLarge(limit int64) *edge.Problem {
	return &edge.Problem{
		Status: http.StatusRequestEntityTooLarge,
		Detail: fmt.Sprintf("The file is larger than this endpoint accepts (%s)", size(limit)),
	}
}

// size is in the largest unit that has a whole number of it.
func size(bytes int64) string {
	switch {
	case bytes%(1<<20) == 0:
		return fmt.Sprint(bytes>>20, " MiB")
	case bytes%(1<<10) == 0:
		return fmt.Sprint(bytes>>10, " KiB")
	}
	return fmt.Sprint(bytes, " bytes")
}

// length is in the largest unit that has a whole number of it, seconds with their fraction.
func length(d time.Duration) string {
	switch {
	case d%time.Hour == 0:
		return fmt.Sprintf("%g hours", d.Hours())
	case d%time.Minute == 0:
		return fmt.Sprintf("%g minutes", d.Minutes())
	}
	return fmt.Sprintf("%g seconds", d.Seconds())
}

func tooLong(err *audio.Error, longest time.Duration) *edge.Problem {
	return &edge.Problem{
		Status: http.StatusRequestEntityTooLarge, Err: err.Cause,
		Detail: fmt.Sprintf("The recording is longer than this endpoint accepts (%s)", length(longest)),
	}
}

// audioFault is the 422 of a file that can't be heard.
func audioFault(kind, message string) form.Invalid {
	return form.Invalid{{Type: kind, Loc: []any{"body", "file"}, Msg: message}}
}

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
		Detail: fmt.Sprintf("The file is larger than this endpoint accepts (%d MiB)", limit>>20),
	}
}

func tooLong(err *audio.Error, longest time.Duration) *edge.Problem {
	return &edge.Problem{
		Status: http.StatusRequestEntityTooLarge, Err: err.Cause,
		Detail: fmt.Sprintf("The recording is longer than this endpoint accepts (%g hours)", longest.Hours()),
	}
}

// audioFault is the 422 of a file that can't be heard.
func audioFault(kind, message string) form.Invalid {
	return form.Invalid{{Type: kind, Loc: []any{"body", "file"}, Msg: message}}
}

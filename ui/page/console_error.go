package page

import (
	"net/http"

	"munadi/ui/shell"
	"munadi/ui/text"
)

// Failure is the page of a failure.
type Failure struct {
	shell.ConsolePage
	Status  int
	Stale   bool   // a form that is no longer good
	Full    bool   // the disk takes nothing
	Request string // its id
}

func (p Failure) words() text.Trouble { return text.TroubleIn(p.Lang) }

// Heading says what happened.
func (p Failure) Heading() string {
	heading, _ := p.sentences()
	return heading
}

// sentences say what happened, and what to do about it.
func (p Failure) sentences() (heading, advice string) {
	w := p.words()
	switch p.Status {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return w.NotFound, w.NotFoundDo
	case http.StatusUnauthorized:
		return w.SignIn, w.SignInDo
	case http.StatusForbidden:
		if p.Stale {
			return w.Stale, w.StaleDo
		}
		return w.Forbidden, w.ForbiddenDo
	case http.StatusRequestEntityTooLarge:
		return w.TooLarge, ""
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		if p.Full {
			return w.Full, w.FullDo
		}
		return w.Busy, w.BusyDo
	}
	if p.Status >= http.StatusInternalServerError {
		return w.Internal, w.InternalDo
	}
	return w.Other, ""
}

package page

import (
	"net/http"

	"munadi/ui/layout"
	"munadi/ui/locale"
)

// FailureView is the page of a failure.
type FailureView struct {
	layout.ConsolePage
	Status  int
	Stale   bool   // a form that is no longer good
	Full    bool   // the disk is full
	Request string // its id
}

func (p FailureView) pageWords() locale.TroubleWords { return locale.TroubleIn(p.Lang) }

// HeadingText returns the heading.
func (p FailureView) HeadingText() string {
	heading, _ := p.explainFailure()
	return heading
}

// explainFailure returns the fault and the remedy.
func (p FailureView) explainFailure() (heading, advice string) {
	w := p.pageWords()
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

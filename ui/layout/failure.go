package layout

import (
	"net/http"

	"munadi/ui/locale"
)

// FailureView is the page of a failure.
type FailureView struct {
	ConsolePage
	Status  int
	Stale   bool   // a form that is no longer good
	Full    bool   // the disk is full
	Request string // its id
	Unread  string // the part of the address that can't be read
	Whole   string // the address without its query, of an unread part
}

// HeadingText returns the heading.
func (p FailureView) HeadingText() string {
	heading, _ := p.explainFailure()
	return heading
}

// explainFailure returns the fault and the remedy.
func (p FailureView) explainFailure() (heading, advice string) {
	if p.Unread != "" {
		return locale.TroubleAddress.In(p.Lang), locale.FillSentence(locale.TroubleAddressDo.In(p.Lang), "part", p.Unread)
	}
	switch p.Status {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return locale.TroubleNotFound.In(p.Lang), locale.TroubleNotFoundDo.In(p.Lang)
	case http.StatusUnauthorized:
		return locale.TroubleSignIn.In(p.Lang), locale.TroubleSignInDo.In(p.Lang)
	case http.StatusForbidden:
		if p.Stale {
			return locale.TroubleStale.In(p.Lang), locale.TroubleStaleDo.In(p.Lang)
		}
		return locale.TroubleForbidden.In(p.Lang), locale.TroubleForbiddenDo.In(p.Lang)
	case http.StatusRequestEntityTooLarge:
		return locale.TroubleTooLarge.In(p.Lang), ""
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		if p.Full {
			return locale.TroubleFull.In(p.Lang), locale.TroubleFullDo.In(p.Lang)
		}
		return locale.TroubleBusy.In(p.Lang), locale.TroubleBusyDo.In(p.Lang)
	}
	if p.Status >= http.StatusInternalServerError {
		return locale.TroubleInternal.In(p.Lang), locale.TroubleInternalDo.In(p.Lang)
	}
	return locale.TroubleOther.In(p.Lang), ""
}

package inbound

import (
	"cmp"
	"time"

	"munadi/store/call"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// RefusedPath is the page of the inbound calls that were refused.
const RefusedPath = "/console/inbound/refused"

// RefusedView is the page of the inbound calls that the appliance has refused.
type RefusedView struct {
	layout.ConsolePage
	Calls []call.RefusedCall
	Zone  *time.Location
}

// nameParties returns the masked caller and called number in words.
func nameParties(r call.RefusedCall, l locale.Language) (caller, called string) {
	return cmp.Or(r.Caller, Withheld.In(l)), cmp.Or(r.Called, NoNumber.In(l))
}

package calls

import (
	"testing"

	"munadi/store/call"
	"munadi/ui/locale"
)

// TestChainWords: a call that follows another one is a retry by its number, otherwise a call-back.
func TestChainWords(t *testing.T) {
	t.Parallel()
	origin := "call_1"
	first := CallRow{Attempt: 1, Max: 1, Call: call.Call{Attempt: call.AttemptChain{Number: 1, Max: 1}}}
	retry := CallRow{Attempt: 2, Max: 3, Call: call.Call{Attempt: call.AttemptChain{Number: 2, Max: 3, PreviousID: &origin}}}
	staff := first
	staff.Call.Attempt.PreviousID = &origin
	inbound := staff
	inbound.Direction = call.Inbound
	for want, row := range map[string]CallRow{
		"1 of 1": first, "2 of 3": retry, "Call-back by staff": staff, "The person called back": inbound,
	} {
		if got := row.chainWords(locale.English); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

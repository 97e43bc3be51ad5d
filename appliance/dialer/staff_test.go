package dialer_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"munadi/appliance/conversation"
	"munadi/appliance/dialer"
	"munadi/store"
	"munadi/store/callrules"
)

// TestRulesChangeDuringACall checks that a call to a member of staff, over a line of our own or by the trunk, obeys the
// rules of its moment, not those of the call's beginning.
func TestRulesChangeDuringACall(t *testing.T) {
	t.Parallel()
	to, err := callrules.ParseTransfer("+966500000055")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change    func(b *singleCallStore)
		forbidden bool
	}{
		"unchanged":       {func(*singleCallStore) {}, false},
		"the kill switch": {func(b *singleCallStore) { b.rules.KillSwitch = true }, true},
		"closed hours": {func(b *singleCallStore) { // it is Saturday, midnight, in a bubble
			b.rules.CallingHours = callrules.CallingHours{"sunday": {{From: "09:00", To: "17:00"}}}
		}, true},
		"no database": {func(b *singleCallStore) {
			b.failsReads = true
			b.fail = func(fact string) error {
				if fact == "rules" {
					return store.Errorf(store.CodeUnavailable, "away")
				}
				return nil
			}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var b *dialerFixture
				var called, referred error
				b = newBench(t, func(ctx context.Context, in dialer.ConversationInput) (dialer.TalkResult, error) {
					c.change(b.singleCallStore)
					_, called = in.DialStaff(ctx, conversation.StaffDial{To: to})
					referred = in.Line.Transfer(ctx, to.String())
					return dialer.TalkResult{Outcome: done}, nil
				})
				b.net.staff = &countingLine{}
				b.runCall(t.Context(), t)
				for what, got := range map[string]error{"a call to staff": called, "a transfer by the trunk": referred} {
					if errors.Is(got, conversation.ErrStaffForbidden) != c.forbidden || !c.forbidden && got != nil {
						t.Errorf("%s: %v", what, got)
					}
				}
			})
		})
	}
}

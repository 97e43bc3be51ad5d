package dialer

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/store/callrules"
)

// errNoStaffLine means that no line is free for a call to a member of staff.
var errNoStaffLine = errors.New("no line is free")

// dialStaff calls a member of staff who is to take the call over, as a second leg: it holds a line of its own, and a
// telephone number is called only within the organization's calling hours and not while its kill switch is on. Whether
// the number may be called at all was checked before.
func (a *dialAttempt) dialStaff(ctx context.Context, d conversation.StaffDial) (carrier.Line, error) {
	if err := a.checkStaffCall(ctx, d.To); err != nil {
		return nil, err
	}
	free := func() {}
	if a.HoldLine != nil {
		var err error
		if free, err = a.HoldLine(a.call.OrgID, d.To.Number); err != nil {
			return nil, &carrier.DialError{Err: fmt.Errorf("%w: %w", errNoStaffLine, err)}
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(a.stop.ctx, cancel)() //nolint:contextcheck // the attempt's own end
	r := carrier.DialRequest{
		CallID: a.call.ID, Number: d.To.Number, Ring: d.Ring, Attempt: 1, Staff: true,
		Caller: a.callerFor(d.To.Number), OrgID: a.call.OrgID, Address: sipAddress(d.To),
		Trace: a.trace.StaffLeg(int(a.staffLegs.Add(1))),
	}
	line, err := a.Carrier.Dial(ctx, r)
	if err != nil {
		free()
		a.log.Info("a member of staff was called in vain", "err", err)
		return nil, err
	}
	a.log.Info("a member of staff answered")
	return &staffLine{Line: line, free: sync.OnceFunc(free)}, nil
}

// sipAddress returns the SIP address of a member of staff; empty for one who has a number.
func sipAddress(to callrules.TransferTarget) string {
	if strings.HasPrefix(to.String(), "sip") {
		return to.String()
	}
	return ""
}

// checkStaffCall returns [conversation.ErrStaffForbidden] unless the rules of this moment allow a call to a member of
// staff: they may have changed since the call began. Rules that cannot be read allow none.
func (a *dialAttempt) checkStaffCall(ctx context.Context, to callrules.TransferTarget) error {
	rules, err := a.Store.FindRules(ctx, a.call.OrgID)
	if err != nil {
		a.log.Warn("the calling rules cannot be read: no member of staff is called", "err", err)
	}
	if err != nil || !mayCallStaff(rules, to, time.Now()) {
		return conversation.ErrStaffForbidden
	}
	return nil
}

// checkTransfer is checkStaffCall for the target of a transfer by the trunk, which calls it for us. A trial at a
// browser calls nobody.
func (a *dialAttempt) checkTransfer(ctx context.Context, target string) error {
	if a.call.Trial && a.rung == nil {
		return nil
	}
	to, err := callrules.ParseTransfer(target)
	if err != nil {
		return err
	}
	return a.checkStaffCall(ctx, to)
}

// mayCallStaff reports whether the rules allow a call to a member of staff now. Extensions and names at a switch have
// no hours.
func mayCallStaff(rules callrules.CallRules, to callrules.TransferTarget, now time.Time) bool {
	if rules.KillSwitch {
		return false
	}
	open, ok := callrules.NextOpen(rules, nil, "", now)
	return to.Number == "" || ok && !open.After(now)
}

// staffLine is the line to a member of staff; it frees what it holds at its end.
type staffLine struct {
	carrier.Line
	free func()
}

// CountUnread implements [carrier.UnreadCounter].
func (l *staffLine) CountUnread() int { return carrier.CountUnread(l.Line) }

// SendKeys implements [carrier.KeySender].
func (l *staffLine) SendKeys(keys string) { carrier.SendKeys(l.Line, keys) }

// Hangup ends the call.
func (l *staffLine) Hangup() {
	l.Line.Hangup()
	l.free()
}

package records

import (
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/driver"
	"munadi/store/record"
)

// callHeads are the calls without their messages, for reading.
var callHeads = kindOf[record.CallRecord]{
	Table: &driver.Table{Kind: "call", Name: "calls", Key: []string{"org", "id"}},
}

// NextOpen returns the first time, not before a call's dial time, within the calling hours of its organization and
// scenario; the dial time itself if they are never open. A scenario that is not stored restricts nothing, nor do rules
// that cannot be read; they are checked again when the call is released.
func NextOpen(tx driver.Tx, c call.Call) (time.Time, error) {
	r, err := RulesOf(tx, c.OrgID)
	if ignoreMissing(err) != nil {
		return time.Time{}, err
	}
	plan, err := ScenarioOf(tx, c.OrgID, c.ScenarioID)
	if ignoreMissing(err) != nil {
		return time.Time{}, err
	}
	if open, ok := callrules.NextOpen(r, plan.CallingHours, plan.TimeZone, c.ScheduledAt); ok {
		return open, nil
	}
	return c.ScheduledAt, nil
}

// ignoreMissing returns nil for the error of a missing or unreadable record, and other errors unchanged.
func ignoreMissing(err error) error {
	if code := store.CodeOf(err); code == store.CodeNotFound || code == store.CodeCorrupt {
		return nil
	}
	return err
}

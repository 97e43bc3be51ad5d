package call

import "time"

// CallBackScenario stands for the scenario of a call-back, which has none.
const CallBackScenario = "call_back"

// CallBackWait is how long after its request a call-back may still begin: a member of staff waits for it.
const CallBackWait = 2 * time.Minute

// IsCallBack reports whether the call joins a member of staff, who is rung first, with the person: no scenario is run.
func (c Call) IsCallBack() bool { return c.Staff != "" }

// DialPerson records that the person of a call-back is called now, since the member of staff has answered: with it the
// attempt to reach the person begins.
func (c Call) DialPerson(now time.Time) (Call, error) {
	if !c.IsCallBack() || c.Status != Dialing || c.ReleasedAt != nil {
		return c, &TransitionError{From: c.Status, Event: Release}
	}
	c.ReleasedAt = &now
	return c, nil
}

// endUncalled cancels a running call-back whose person was not called: it says nothing about the person, and is no
// attempt to reach them. Its failure says why.
func (c Call) endUncalled() (Call, error) {
	c, err := c.moveTo(Return, Scheduled)
	if err == nil {
		c, err = c.moveTo(Cancel, Cancelled)
	}
	return c, err
}

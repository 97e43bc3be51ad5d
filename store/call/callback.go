package call

import "time"

// CallBackScenario stands for the scenario of a call-back, which has none.
const CallBackScenario = "call_back"

// CallBackWait is how long after its request a call-back may still begin: a member of staff waits for it.
const CallBackWait = 2 * time.Minute

// IsCallBack reports whether the call joins a member of staff, who is rung first, with the person: no scenario is run.
func (c Call) IsCallBack() bool { return c.Staff != "" }

// IsUncalled reports whether a call-back failed before the person was called, by no user's doing: the member of staff
// was not reached, or no line was free in time. It says nothing about the person, and counts for none.
func (c Call) IsUncalled() bool {
	return c.IsCallBack() && c.Status == Failed && c.ReleasedAt == nil && c.EndedBy != ByOperator
}

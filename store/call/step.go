package call

import (
	"fmt"
	"slices"
	"time"
)

// TransitionError is an event that the state machine does not allow in the call's status.
type TransitionError struct {
	From  CallStatus
	Event CallEvent
}

// Error names status and event.
func (e *TransitionError) Error() string {
	return fmt.Sprintf("a call that is %s cannot %s", e.From, e.Event)
}

// moveTo changes the call's status, if the transition table allows it.
func (c Call) moveTo(event CallEvent, next CallStatus) (Call, error) {
	if !slices.Contains(c.Status.NextStatuses(event), next) {
		return c, &TransitionError{From: c.Status, Event: event}
	}
	c.Status = next
	return c, nil
}

// RescheduleTo changes the dial time of a scheduled call.
func (c Call) RescheduleTo(at time.Time, how BookingOutcome) (Call, error) {
	c, err := c.moveTo(Reschedule, Scheduled)
	if err == nil {
		c.ScheduledAt, c.Booking = at, how
	}
	return c, err
}

// CancelAt cancels a scheduled call, and with it its retry chain.
func (c Call) CancelAt(now time.Time) (Call, error) {
	c, err := c.moveTo(Cancel, Cancelled)
	if err == nil {
		c.EndedAt, c.EndedBy = &now, ByOperator
	}
	return c, err
}

// checkDue refuses an event of a due call when a user has rescheduled the call since it was found due.
func (c Call) checkDue(event CallEvent, now time.Time) error {
	if c.Status == Scheduled && c.ScheduledAt.After(now) {
		return &TransitionError{From: c.Status, Event: event}
	}
	return nil
}

// PostponeTo changes the dial time of a due call.
func (c Call) PostponeTo(at, now time.Time) (Call, error) {
	if err := c.checkDue(Reschedule, now); err != nil {
		return c, err
	}
	return c.RescheduleTo(at, Moved)
}

// ReleaseToLine moves a due call to dialing.
func (c Call) ReleaseToLine(now time.Time) (Call, error) {
	if err := c.checkDue(Release, now); err != nil {
		return c, err
	}
	c, err := c.moveTo(Release, Dialing)
	if err == nil && !c.IsCallBack() { // the member of staff is rung first, see [Call.DialPerson]
		c.ReleasedAt = &now
	}
	return c, err
}

// StopAtRelease fails a due call that the rules forbid. A call-back that no line was free for is cancelled instead.
func (c Call) StopAtRelease(reason FailureReason, now time.Time) (Call, error) {
	if err := c.checkDue(Stop, now); err != nil {
		return c, err
	}
	event, status := Stop, Failed
	if reason == CallBackLate {
		event, status = Cancel, Cancelled
	}
	c, err := c.moveTo(event, status)
	if err == nil {
		c.EndedAt, c.EndedBy, c.Failure = &now, ByPlatform, &CallFailure{Reason: reason}
	}
	return c, err
}

// ReturnToSchedule requeues a dialled call for a later time when the carrier accepted no calls and no telephone rang,
// so that no attempt was made. A call whose hang-up a user requested is not requeued.
func (c Call) ReturnToSchedule(at time.Time) (Call, error) {
	if c.HangupAt != nil || c.Returns >= MaxReturns {
		return c, &TransitionError{From: c.Status, Event: Return}
	}
	c, err := c.moveTo(Return, Scheduled)
	if err == nil {
		c.ReleasedAt, c.ScheduledAt = nil, at
		c.Returns++
	}
	return c, err
}

// MarkAnswered records the answer of a call, by a person or a machine.
func (c Call) MarkAnswered(now time.Time) (Call, error) {
	c, err := c.moveTo(Answer, InProgress)
	if err == nil {
		c.StartedAt = &now
	}
	return c, err
}

// RescueInterrupted fails a call that was running when the appliance stopped (crash recovery).
func (c Call) RescueInterrupted(now time.Time) (Call, error) {
	return c.EndWith(CallOutcome{
		Status: Failed, EndedBy: ByPlatform, Failure: &CallFailure{Reason: Interrupted},
		Recording: c.Recording, RecordingSum: c.RecordingSum,
	}, now)
}

// ReopenInterrupted undoes [Call.RescueInterrupted] for a call whose appliance lost only the database and kept the
// line: its true outcome has become known. Another call is returned unchanged, with false.
func (c Call) ReopenInterrupted(o CallOutcome, now time.Time) (Call, bool) {
	if c.Status != Failed && c.Status != Cancelled || ReasonOf(c.Failure) != Interrupted {
		return c, false
	}
	if c.StartedAt == nil && o.Duration != nil { // the answer could not be stored
		started := now.Add(-time.Duration(*o.Duration) * time.Second)
		c.StartedAt = &started
	}
	c.Status, c.EndedAt, c.Failure = Dialing, nil, nil
	if c.StartedAt != nil {
		c.Status = InProgress
	}
	return c, true
}

// NextAttempt returns the retry after c has ended, and c with the link to it; false when none is planned. A call back
// that was promised to the person is always retried.
func (c Call) NextAttempt(now time.Time) (ended, next Call, ok bool) {
	wanted := c.CallBack || c.Attempt.Plan.WantsRetry(c.Status, c.Failure)
	if !c.Attempt.CanRetry() || !wanted {
		return c, Call{}, false
	}
	at := now.Add(c.Attempt.Plan.DelayBefore(c.Attempt.Number + 1))
	previous := c.ID
	next = Call{
		ID: NewID(), OrgID: c.OrgID, Status: Scheduled, PhoneNumber: c.PhoneNumber, ScenarioID: c.ScenarioID,
		ScenarioVersion: c.ScenarioVersion, Variables: c.Variables, NameVariable: c.NameVariable, Metadata: c.Metadata,
		CampaignID: c.CampaignID, CallerNumber: c.CallerNumber,
		Booking: RetryBooked, CreatedAt: now, ScheduledAt: at,
		Attempt: AttemptChain{
			Number: c.Attempt.Number + 1, Max: c.Attempt.Max, ChainID: c.Attempt.ChainID, PreviousID: &previous,
			Plan: c.Attempt.Plan,
		},
	}
	c.Attempt.NextID, c.Attempt.NextRetryAt = &next.ID, &at
	return c, next, true
}

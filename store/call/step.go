package call

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// TransitionError is an event that the call's status does not allow.
type TransitionError struct {
	From  Status
	Event Event
}

// Error names both.
func (e *TransitionError) Error() string {
	return fmt.Sprintf("a call that is %s cannot %s", e.From, e.Event)
}

// to moves the call, if the table has the arrow.
func (c Call) to(event Event, next Status) (Call, error) {
	if !slices.Contains(c.Status.After(event), next) {
		return c, &TransitionError{From: c.Status, Event: event}
	}
	c.Status = next
	return c, nil
}

// Move gives a scheduled call another time.
func (c Call) Move(at time.Time, how Booking) (Call, error) {
	c, err := c.to(Reschedule, Scheduled)
	if err == nil {
		c.ScheduledAt, c.Booking = at, how
	}
	return c, err
}

// Cancel ends a scheduled call, and with it its retry chain.
func (c Call) Cancel(now time.Time) (Call, error) {
	c, err := c.to(Cancel, Cancelled)
	if err == nil {
		c.EndedAt, c.EndedBy = &now, ByOperator
	}
	return c, err
}

// due refuses an event of a scheduled call's turn when a person has moved the call since it was found due.
func (c Call) due(event Event, now time.Time) error {
	if c.Status == Scheduled && c.ScheduledAt.After(now) {
		return &TransitionError{From: c.Status, Event: event}
	}
	return nil
}

// Postpone gives a call that is due another time.
func (c Call) Postpone(at, now time.Time) (Call, error) {
	if err := c.due(Reschedule, now); err != nil {
		return c, err
	}
	return c.Move(at, Moved)
}

// Release hands a call that is due to a line.
func (c Call) Release(now time.Time) (Call, error) {
	if err := c.due(Release, now); err != nil {
		return c, err
	}
	c, err := c.to(Release, Dialing)
	if err == nil {
		c.ReleasedAt = &now
	}
	return c, err
}

// Stop ends a call that is due and that the rules forbid.
func (c Call) Stop(reason Reason, now time.Time) (Call, error) {
	if err := c.due(Stop, now); err != nil {
		return c, err
	}
	c, err := c.to(Stop, Failed)
	if err == nil {
		c.EndedAt, c.EndedBy, c.Failure = &now, ByPlatform, &Failure{Reason: reason}
	}
	return c, err
}

// Return puts a dialled call back among the scheduled ones, to be dialled at a later time: the carrier took no calls and
// no telephone rang, so that no attempt was made. A call whose end a person asked for is not put back.
func (c Call) Return(at time.Time) (Call, error) {
	if c.HangupAt != nil || c.Returns >= MostReturns {
		return c, &TransitionError{From: c.Status, Event: Return}
	}
	c, err := c.to(Return, Scheduled)
	if err == nil {
		c.ReleasedAt, c.ScheduledAt = nil, at
		c.Returns++
	}
	return c, err
}

// Answered records that somebody, or something, took the call.
func (c Call) Answered(now time.Time) (Call, error) {
	c, err := c.to(Answer, InProgress)
	if err == nil {
		c.StartedAt = &now
	}
	return c, err
}

// Outcome is how a dial ended.
type Outcome struct {
	Status       Status  // a final one
	EndedBy      EndedBy // empty: the carrier where nobody answered, else the platform
	Failure      *Failure
	Duration     *int // whole seconds from answer to end; nil without an answer
	Messages     []Message
	Errors       []Trouble
	Report       json.RawMessage
	ResponseBody json.RawMessage
	Recording    string
	Machine      *Machine
	Line         *Line
}

// End ends a running call.
func (c Call) End(o Outcome, now time.Time) (Call, error) {
	event := Fail
	if o.Status == Completed {
		event = Complete
	}
	c, err := c.to(event, o.Status)
	if err != nil {
		return c, err
	}
	c.EndedAt, c.Duration, c.Failure, c.Machine = &now, o.Duration, o.Failure, o.Machine
	c.Messages, c.Errors, c.Recording = o.Messages, o.Errors, o.Recording
	c.Report, c.ResponseBody, c.Line = o.Report, o.ResponseBody, o.Line
	switch c.EndedBy = o.EndedBy; {
	case o.EndedBy != "":
	case c.StartedAt == nil:
		c.EndedBy = ByCarrier
	default:
		c.EndedBy = ByPlatform
	}
	return c, nil
}

// Rescue ends a call whose line is gone because the appliance stopped in the middle of it.
func (c Call) Rescue(now time.Time) (Call, error) {
	return c.End(Outcome{Status: Failed, EndedBy: ByPlatform, Failure: &Failure{Reason: Interrupted}, Recording: c.Recording}, now)
}

// Retry is the next attempt after c has ended, and c with the link to it; false when none is due.
func (c Call) Retry(now time.Time) (ended, next Call, ok bool) {
	if c.Attempt.Number >= c.Attempt.Max || !c.Attempt.Plan.Wants(c.Status, c.Failure) {
		return c, Call{}, false
	}
	at := now.Add(c.Attempt.Plan.Delay(c.Attempt.Number + 1))
	previous := c.ID
	next = Call{
		ID: NewID(), OrgID: c.OrgID, Status: Scheduled, PhoneNumber: c.PhoneNumber, ScenarioID: c.ScenarioID,
		Variables: c.Variables, Metadata: c.Metadata, CampaignID: c.CampaignID,
		Booking: RetryBooked, CreatedAt: now, ScheduledAt: at,
		Attempt: Attempt{
			Number: c.Attempt.Number + 1, Max: c.Attempt.Max, ChainID: c.Attempt.ChainID, PreviousID: &previous,
			Plan: c.Attempt.Plan,
		},
	}
	c.Attempt.NextID, c.Attempt.NextRetryAt = &next.ID, &at
	return c, next, true
}

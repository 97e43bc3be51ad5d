package call

import (
	"slices"
	"time"
)

// Way returns the call's direction.
func (c Call) Way() CallDirection {
	if c.Direction == Inbound {
		return Inbound
	}
	return Outbound
}

// ClosedHours is the code of the error entry of an inbound call that heard the closed line, and was asked nothing.
const ClosedHours = "closed_hours"

// FollowedCall is what an inbound call continues.
type FollowedCall struct {
	DialledAt *time.Time // of the call to its caller
	Talk      Call       // the last conversation that followed: of that call, or of an earlier inbound one
}

// IsConversation reports whether a call ended after a conversation in which its scenario was run.
func (c Call) IsConversation() bool {
	return c.Status == Completed && len(c.Report) > 0 &&
		!slices.ContainsFunc(c.Errors, func(e CallError) bool { return e.Code == ClosedHours })
}

// NewInbound completes c, a call that rings here: it has a line, is never repeated, and counts as no attempt to reach
// the person. previous is the call that the person follows up, whose scenario and campaign c then has; nil without one.
func NewInbound(c Call, previous *Call, now time.Time) Call {
	c.ID, c.Direction, c.Status, c.Booking = NewID(), Inbound, Dialing, Immediate
	c.CreatedAt, c.ScheduledAt = now, now
	c.Attempt = AttemptChain{Number: 1, Max: 1, ChainID: c.ID, Plan: RetryPlan{MaxAttempts: 1}}
	if previous != nil {
		c.Attempt.PreviousID = &previous.ID
		c.ScenarioID, c.ScenarioVersion = previous.ScenarioID, previous.ScenarioVersion
		c.Variables, c.NameVariable = previous.Variables, previous.NameVariable
		c.Metadata, c.CampaignID = previous.Metadata, previous.CampaignID
	}
	return c
}

package scheduler

import (
	"context"
	"errors"

	"munadi/store/call"
)

// Errors of inbound calls that get no line.
var (
	ErrNotReady = errors.New("the appliance takes no calls: it is starting or shutting down")
	ErrNoLine   = errors.New("all lines of the appliance are in use")
)

// HoldLine holds a line for a further leg of a running call, if fewer lines than limit are in use, until it is freed.
func (s *Scheduler) HoldLine(orgID, number string, limit int) (free func(), err error) {
	leg := call.Call{ID: call.NewID(), OrgID: orgID, PhoneNumber: number}
	if err := s.lines.takeInboundLine(leg, limit); err != nil {
		return nil, err
	}
	return func() { s.lines.freeLine(leg.ID) }, nil
}

// RunInbound holds a line for a call that comes in while run holds the conversation, if fewer lines than limit are in
// use: outbound calls then wait for it, the same number is not dialled, and a shutdown lets it end. The context of run
// ends when running calls are to end. An error says that run was not called.
func (s *Scheduler) RunInbound(c call.Call, limit int, run func(calls context.Context)) error {
	if err := s.lines.takeInboundLine(c, limit); err != nil {
		return err
	}
	defer s.lines.freeLine(c.ID)
	run(*s.inbound.Load())
	return nil
}

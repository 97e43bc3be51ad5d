package simulator

import (
	"context"
	"sync"

	"munadi/appliance/carrier"
)

// SimulatedCaller is a simulated person who calls in: carrier.IncomingCall. The number chooses the person, as for calls
// to them; one who would not pick up ([NoAnswer]) hangs up before the answer, and a number of a machine or of a
// refusal is a cooperative person.
type SimulatedCaller struct {
	network    *Simulator
	from, to   string
	who        Person
	told       sync.Once
	heard      chan carrier.Refusal // what the caller hears: one value, 0 for ringing
	mu         sync.Mutex
	wasSettled bool
}

// NewCaller returns a person who calls a number; an empty number of their own is withheld.
func (s *Simulator) NewCaller(from, to string) *SimulatedCaller {
	who, chosen := s.options.People[from]
	if !chosen {
		who = PersonByNumber(from)
	}
	switch who {
	case Declines, Unavailable, Busy, NoCarrier, Voicemail, Mailbox, SwitchedOff, Menu, SecondTime:
		who = Cooperative
	}
	return &SimulatedCaller{network: s, from: from, to: to, who: who, heard: make(chan carrier.Refusal, 1)}
}

// Heard returns what the caller hears first: 0 when it rings, else why the call is refused.
func (c *SimulatedCaller) Heard(ctx context.Context) (carrier.Refusal, error) {
	select {
	case why := <-c.heard:
		return why, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (c *SimulatedCaller) tell(why carrier.Refusal) { c.told.Do(func() { c.heard <- why }) }

// settle reports whether the call was not answered or refused before.
func (c *SimulatedCaller) settle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := !c.wasSettled
	c.wasSettled = true
	return first
}

// Called implements [carrier.IncomingCall].
func (c *SimulatedCaller) Called() []string { return []string{c.to} }

// Caller implements [carrier.IncomingCall].
func (c *SimulatedCaller) Caller() string { return c.from }

// Ring implements [carrier.IncomingCall].
func (c *SimulatedCaller) Ring() { c.tell(0) }

// Refuse implements [carrier.IncomingCall].
func (c *SimulatedCaller) Refuse(why carrier.Refusal) {
	if c.settle() {
		c.tell(why)
	}
}

// Answer implements [carrier.IncomingCall]. The caller waits to be spoken to.
func (c *SimulatedCaller) Answer(ctx context.Context) (carrier.Line, error) {
	if !c.settle() || c.who == NoAnswer {
		return nil, carrier.ErrCallerGone
	}
	c.tell(0)
	line := c.network.answerCall(c.who, c.from, chanceOf(c.network.options.Seed, c.from, 1))
	if person, is := line.party.(*humanParty); is {
		person.greets = -1
	}
	return line, ctx.Err()
}

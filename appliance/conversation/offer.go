package conversation

import (
	"context"
	"errors"
	"io"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/bridge"
	"munadi/appliance/recovery"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// StaffDial is a call to a member of staff, who is to take this call over.
type StaffDial struct {
	To   callrules.TransferTarget
	Ring time.Duration // ring timeout
}

// ErrStaffForbidden means that the calling rules forbid a call to a member of staff now.
var ErrStaffForbidden = errors.New("the calling rules allow no call to the member of staff now")

// Why a member of staff who answered did not take the call.
var (
	errStaffRefused = errors.New("the member of staff refused the call")
	errStaffSilent  = errors.New("the member of staff pressed no key")
)

// The keys by which staff decide on a call that is announced to them.
const (
	takeKey   = '1'
	refuseKey = '2'
)

const (
	decisionWait = 8 * time.Second // for a key, after the announcement
	announcings  = 2               // how often it is said
)

// staffOffer is a call that is offered to staff.
type staffOffer struct {
	dial    func(context.Context, StaffDial) (carrier.Line, error)
	keys    string           // sent to who answers, before anything else
	prompts []carrier.Speech // said to who answers, who then decides; nil: who answers gets the call
}

// offerCall offers the call to targets at the same time, joins it with the first who takes it and returns when they
// have talked; [errNotTaken] if none does. Meanwhile the other side hears the hold tone.
func (s *conversationSession) offerCall(
	ctx context.Context, step scenario.FlowStep, targets []callrules.TransferTarget,
) error {
	offer, err := s.makeOffer(ctx, step)
	if err != nil {
		return err
	}
	offering, cancel := context.WithCancel(ctx)
	defer cancel()
	answers := make(chan staffAnswer)
	open := map[int]call.CallTransfer{}
	for i, to := range targets {
		open[i] = s.newTransfer(step, to)
		go offer.offerTo(offering, i, to, answers)
	}
	defer func() { // of those who have not answered yet
		for i := range targets {
			if tried, waits := open[i]; waits {
				s.addTransfer(tried, call.TransferCancelled)
			}
		}
	}()
	taken, err := s.awaitStaff(ctx, answers, open)
	if err != nil {
		return err
	}
	cancel()
	tried := open[taken.target]
	delete(open, taken.target)
	return s.joinStaff(ctx, taken.line, tried)
}

// makeOffer renders what staff hear before they decide.
func (s *conversationSession) makeOffer(ctx context.Context, step scenario.FlowStep) (staffOffer, error) {
	o := staffOffer{dial: s.DialStaff, keys: step.Keys}
	if step.Mode != scenario.Attended {
		return o, nil
	}
	o.prompts = []carrier.Speech{}
	for _, line := range append(step.Announce[:len(step.Announce):len(step.Announce)], s.commonLines(pressYesNo)...) {
		said, ok, err := s.renderLine(ctx, line)
		if err != nil {
			return o, err
		}
		if ok {
			said.PCM = withSilence(said.PCM, int(pause*carrier.Rate/time.Second))
			said.Wide = nil
			o.prompts = append(o.prompts, said)
		}
	}
	if n := len(o.prompts); n > 0 {
		o.prompts[n-1].Expects = carrier.AnswerExpectation{Kind: string(scenario.YesNo)}
	}
	return o, nil
}

// staffAnswer is the answer of one target: the line to who takes the call, or why it was not taken.
type staffAnswer struct {
	target int
	line   carrier.Line
	err    error
}

// awaitStaff returns the first target that takes the call, and stores the outcome of those who do not. What the other
// side says while it waits is no answer to a question.
func (s *conversationSession) awaitStaff(
	ctx context.Context, answers <-chan staffAnswer, open map[int]call.CallTransfer,
) (staffAnswer, error) {
	wasClosing := s.closing
	s.closing = true
	defer func() { s.closing, s.turns, s.pressed = wasClosing, nil, "" }()
	var tone bridge.HoldTone
	for len(open) > 0 {
		select {
		case a := <-answers:
			if a.err == nil {
				return a, nil
			}
			s.addTransfer(open[a.target], outcomeOfDial(a.err))
			delete(open, a.target)
		default:
			tone.PlayOn(s.Line)
			if err := s.nextFrame(ctx); err != nil {
				return staffAnswer{}, err
			}
		}
	}
	s.Line.Flush()
	return staffAnswer{}, errNotTaken
}

// offerTo calls one target and sends its answer, unless ctx ends before: then the line is hung up.
func (o staffOffer) offerTo(ctx context.Context, i int, to callrules.TransferTarget, answers chan<- staffAnswer) {
	a := staffAnswer{target: i}
	a.err = recovery.RecoverPanic(func() (err error) {
		a.line, err = o.callTarget(ctx, to)
		return err
	})
	select {
	case answers <- a:
	case <-ctx.Done():
		if a.err == nil {
			a.line.Hangup()
		}
	}
}

// callTarget calls one target and returns the line to who takes the call.
func (o staffOffer) callTarget(ctx context.Context, to callrules.TransferTarget) (carrier.Line, error) {
	line, err := o.dial(ctx, StaffDial{To: to, Ring: staffRing})
	if err != nil {
		return nil, err
	}
	if err = o.sendKeys(ctx, line); err == nil && o.prompts != nil {
		err = o.awaitDecision(ctx, line)
		line.Flush()
	}
	if err != nil {
		line.Hangup()
		return nil, err
	}
	return line, nil
}

// pauseTicks is the pause of [scenario.KeyPause].
const pauseTicks = int(500 * time.Millisecond / carrier.Tick)

// sendKeys sends the keys to who answered, and returns when they have left.
func (o staffOffer) sendKeys(ctx context.Context, line carrier.Line) error {
	for _, key := range o.keys {
		ticks := pauseTicks
		if key != scenario.KeyPause {
			carrier.SendKeys(line, string(key))
			ticks = carrier.KeyTicks
		}
		for range ticks {
			if _, err := hearStaff(ctx, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// hearStaff returns the next frame of a member of staff; one who hangs up has refused the call.
func hearStaff(ctx context.Context, line carrier.Line) (carrier.Frame, error) {
	f, err := line.Next(ctx)
	if errors.Is(err, io.EOF) {
		return f, errStaffRefused
	}
	return f, err
}

// awaitDecision announces the call and waits for a key. One that is pressed during the announcement counts.
func (o staffOffer) awaitDecision(ctx context.Context, line carrier.Line) error {
	for range announcings {
		for _, said := range o.prompts {
			line.Say(said)
		}
		for quiet := time.Duration(0); quiet < decisionWait; {
			f, err := hearStaff(ctx, line)
			if err != nil {
				return err
			}
			for _, key := range f.Digits {
				switch key {
				case takeKey:
					return nil
				case refuseKey:
					return errStaffRefused
				}
			}
			if line.Queued() == 0 || f.Held { // a telephone on hold plays nothing
				quiet += carrier.Tick
			}
		}
	}
	return errStaffSilent
}

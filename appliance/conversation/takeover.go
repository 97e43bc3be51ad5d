package conversation

import (
	"context"
	"errors"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/bridge"
	"munadi/store/call"
	"munadi/store/scenario"
)

// TakeOver is a member of staff who takes the platform's side of a running call, until they hand it back, their line
// ends or the call does.
type TakeOver struct {
	line  carrier.Line
	actor string
	back  <-chan string // the id of the step to go on with; empty: the one that was left
	over  chan struct{}
	how   string // set before over is closed
}

// How a takeover ends.
const (
	HandedBack = "handed_back"
	CallEnded  = "ended"
	StaffLost  = "lost"
)

// NewTakeOver returns the takeover of an actor, user:ID, by a line that never makes its reader wait.
func NewTakeOver(line carrier.Line, actor string, back <-chan string) *TakeOver {
	return &TakeOver{line: line, actor: actor, back: back, over: make(chan struct{})}
}

// Over is closed when the takeover has ended.
func (t *TakeOver) Over() <-chan struct{} { return t.over }

// How returns how the takeover ended, once Over is closed.
func (t *TakeOver) How() string { return t.how }

// End ends the takeover; the conversation that it takes over does so, once.
func (t *TakeOver) End(how string) {
	t.how = how
	close(t.over)
}

// takeOverInterruption is the error of a takeover. It unwinds to the loop over the steps.
type takeOverInterruption struct{ by *TakeOver }

func (i *takeOverInterruption) Error() string { return "a member of staff takes the call over" }

// giveCallAway lets a member of staff talk with the person, and continues the dialogue when they hand it back, at the
// step that they chose or where it was left. A person whose member of staff is lost is told that it takes a moment.
func (s *conversationSession) giveCallAway(ctx context.Context, t *TakeOver) error {
	s.stopSpeaking()
	s.closing, s.asked, s.hint = false, nil, nil
	at, from := s.step, s.now
	tried := call.CallTransfer{
		At: s.lineAt(s.now).Seconds(), Way: call.BrowserWay, Mode: string(scenario.Blind), To: t.actor,
	}
	step, err := s.talkWithStaff(ctx, t)
	seconds := int((s.now - from) / time.Second)
	tried.Duration = &seconds
	s.addTransfer(tried, call.Transferred)
	if err != nil && !errors.Is(err, errStaffLost) {
		t.End(CallEnded)
		if errors.Is(err, errRemoteHungUp) {
			s.transferred, err = true, errMoved
		}
		return err
	}
	if i := s.Scenario.FindStep(step); step != "" && i < len(s.Scenario.Steps) {
		at = i
	}
	if err == nil {
		t.End(HandedBack)
	} else {
		t.End(StaffLost)
		if err := s.sayCommonTexts(ctx, oneMoment); err != nil {
			return err
		}
	}
	if !s.introduced {
		if err := s.speakIntroduction(ctx); err != nil {
			return err
		}
	}
	return s.runSteps(ctx, at)
}

// errStaffLost means that the line to the member of staff ended.
var errStaffLost = errors.New("the line to the member of staff ended")

// talkWithStaff joins the call with the line of a takeover, and returns the step to go on with.
func (s *conversationSession) talkWithStaff(ctx context.Context, t *TakeOver) (step string, err error) {
	stop, over := make(chan struct{}), make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case step = <-t.back:
			close(stop)
		case <-over:
		}
	}()
	err = s.passSound(ctx, &bridge.Bridge{Near: s.Line, Far: t.line, NoTone: true}, MaxStaffTime, stop)
	close(over)
	<-done
	t.line.Hangup()
	if isFarError(err) {
		err = errStaffLost
	}
	return step, err
}

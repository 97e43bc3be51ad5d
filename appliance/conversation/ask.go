package conversation

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"munadi/appliance/certainty"
	"munadi/appliance/conversation/slot"
	"munadi/store/call"
	"munadi/store/scenario"
)

const (
	maxRepeats       = 3 // repetitions on request; a further request is an answer not understood
	maxConfirmations = 2 // questions whether a value is right
)

// runAskStep asks for one slot and returns the index of the next step.
func (s *conversationSession) runAskStep(ctx context.Context, i int) (int, error) {
	step := s.Scenario.Steps[i]
	name := step.Slot.Name
	if s.filledAside[name] {
		delete(s.filledAside, name)
		return s.Scenario.NextStep(i, step.Next), nil
	}
	delete(s.found, name)
	a := askStep{conversationSession: s, step: step, index: i}
	if a.isImplied(step.Also, func(also string) bool { return s.filledAside[also] }) {
		s.setSlot(name, true)
		return s.Scenario.NextStep(i, step.Next), nil
	}
	s.wasAsked[name] = true
	ok, err := a.confirmAside(ctx)
	if !ok && err == nil {
		ok, err = a.askUntilAnswered(ctx)
	}
	if err != nil {
		return 0, err
	}
	if !ok {
		s.answerMissed = s.answerMissed || a.tries > a.silences
		return s.Scenario.NextStep(i, cmp.Or(step.OnFailure, step.Next)), nil
	}
	return s.Scenario.NextStep(i, step.Next), nil
}

// askStep is the state of a running ask step.
type askStep struct {
	*conversationSession
	step  scenario.FlowStep
	index int // of the step
	tries int // questions without a usable answer
	extra int // repetitions that were asked for
	weak  any // the last doubtful yes or no

	silences int // questions answered by silence
}

// askUntilAnswered repeats the question until the slot is filled or its attempts are used up.
func (a *askStep) askUntilAnswered(ctx context.Context) (bool, error) {
	lines := a.step.Say
	for a.tries <= a.step.ReaskLimit() {
		r, err := a.askQuestion(ctx, openQuestion{
			slot: *a.step.Slot, lines: lines, again: a.tries + a.extra, timeout: a.answerTimeout(), noBarge: a.step.NoBargeIn,
			patience: a.step.PatienceFactor(),
		})
		if err != nil {
			return false, err
		}
		a.takeAsides(&r)
		switch r.kind {
		case understood:
			ok, err := a.acceptAnswer(ctx, &r)
			if ok || err != nil {
				return ok, err
			}
			if lines, err = a.nextPromptAfterDoubt(ctx, r); err != nil {
				return false, err
			}
		case partly:
			lines = a.step.Say
		case unspoken:
			return false, nil
		case leaving:
			return false, &intentInterruption{goodbye}
		default:
			if lines, err = a.nextPromptAfterMiss(ctx, r, lines); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// nextPromptAfterMiss returns the prompt after a missing answer.
func (a *askStep) nextPromptAfterMiss(
	ctx context.Context, r questionReply, lines scenario.SpokenLines,
) (scenario.SpokenLines, error) {
	switch {
	case r.kind == silent:
		a.tries++
		a.addError("no_input", "Nothing was answered to %s.", a.step.Slot.Name)
		return a.promptAfterSilence(ctx)
	case r.kind.isRequest() && a.extra < maxRepeats:
		a.extra++
		var told scenario.SpokenLines
		switch r.kind {
		case askWho:
			told = a.identityLines()
		case askDetails:
			told = a.told
		}
		return lines, a.sayLines(ctx, told)
	}
	a.tries++
	a.addError("no_match", "The answer to %s was not understood.", a.step.Slot.Name)
	return a.offerKeys(ctx, firstSpoken(a.step.Reask, a.step.Say))
}

// shortTimeout is the answer timeout after a silence.
const shortTimeout = 2500 * time.Millisecond

func (a *askStep) answerTimeout() time.Duration {
	if a.silences > 0 {
		return min(a.step.AnswerTimeout(), shortTimeout)
	}
	return a.step.AnswerTimeout()
}

// promptAfterSilence returns the prompt after silence: the scenario's line first, then "I heard nothing" with the keys
// that answer the question, or the question. After it the step's on_failure is taken.
func (a *askStep) promptAfterSilence(ctx context.Context) (scenario.SpokenLines, error) {
	if a.silences++; a.silences == 1 {
		return firstSpoken(a.step.NoInput, a.step.Reask, a.step.Say), nil
	}
	keys, err := a.offerKeys(ctx, nil)
	return append(a.commonLines(notHeard), firstSpoken(keys, a.step.Say)...), err
}

// identityLines returns the answer to "who is calling?".
func (s *conversationSession) identityLines() scenario.SpokenLines {
	if len(s.Scenario.Identify) > 0 {
		return s.Scenario.Identify
	}
	if i := s.Scenario.FirstStep(); i < len(s.Scenario.Steps) && s.Scenario.Steps[i].Type == scenario.Say {
		return s.Scenario.Steps[i].Say
	}
	return nil
}

// acceptAnswer takes an answer, once it is beyond doubt. Where the question has a bound on wrong decisions, the bound
// says what is beyond doubt.
func (a *askStep) acceptAnswer(ctx context.Context, r *questionReply) (bool, error) {
	value, name := r.answer.Value, a.step.Slot.Name
	d := a.weighAnswer(r)
	if d.Basis != "" {
		defer func() { a.decisions = append(a.decisions, d) }()
	}
	switch {
	case value == nil:
	case a.step.Slot.Type == scenario.YesNo && r.answer.Doubtful && !d.Drawn && a.weak != value:
		a.weak = value
		a.tries++
		a.addError("doubtful", "The answer to %s was heard, but not clearly.", name)
		return false, nil
	case a.step.Confirm || d.Drawn || r.answer.Doubtful && a.step.Slot.Type != scenario.YesNo:
		right, err := a.confirmValue(ctx, value)
		if err != nil {
			return false, err
		}
		if d.Right = right; right != nil && !*right {
			a.tries++
			a.addError("not_confirmed", "What was understood of %s was not right.", name)
			return false, nil
		}
	}
	a.setSlot(name, value)
	if a.detector != nil && a.step.Slot.Type != scenario.Text { // to which a machine's greeting is an answer too
		a.detector.ConfirmPerson(a.now)
	}
	a.fillOtherSlots(r.said, value)
	return true, nil
}

// weighAnswer judges a spoken answer by the question's bound on wrong decisions, and returns the decision for the
// call's record; the zero one without a bound, and for keys and refusals, which are not guessed.
func (a *askStep) weighAnswer(r *questionReply) call.AnswerDecision {
	if r.said.Text == "" || r.answer.Value == nil {
		return call.AnswerDecision{}
	}
	bound, bounded := a.takeBound()
	if !bounded {
		return call.AnswerDecision{}
	}
	if len(r.said.Readings) == 0 && r.said.Confidence == 1 { // typed in a rehearsal, not recognized
		r.answer.Probability = 1
	}
	r.answer = r.answer.DoubtBelow(bound.Accept)
	drawn := a.step.Confirm || rand.Float64() < bound.Draw
	return call.AnswerDecision{
		Slot: a.step.Slot.Name, Basis: bound.Basis, Score: r.answer.Probability, At: a.lineAt(a.now).Seconds(), Drawn: drawn,
		Asked: drawn || r.answer.Doubtful,
	}
}

// takeBound returns the bound of the next answer: in a recorded call that is held again, one that repeats its decision.
func (a *askStep) takeBound() (b certainty.AcceptBound, bounded bool) {
	i := slices.IndexFunc(a.Decided, func(d call.AnswerDecision) bool { return d.Slot == a.step.Slot.Name })
	if i < 0 {
		b, bounded = a.Bounds[a.step.Slot.Name]
		return b, bounded
	}
	d := a.Decided[i]
	a.Decided = slices.Delete(slices.Clone(a.Decided), i, i+1)
	switch b.Basis = d.Basis; {
	case d.Drawn:
		b.Draw = 1
	case d.Asked:
		b.Accept = math.Inf(1)
	}
	return b, true
}

// nextPromptAfterDoubt returns the prompt after an answer that was not accepted.
func (a *askStep) nextPromptAfterDoubt(ctx context.Context, r questionReply) (scenario.SpokenLines, error) {
	if a.step.Slot.Type == scenario.YesNo && r.answer.Doubtful {
		return a.offerKeys(ctx, a.commonLines(yesOrNo))
	}
	return a.offerKeys(ctx, firstSpoken(a.step.Reask, a.step.Say))
}

// confirmValue reads a value back and asks whether it is right; nil if no voice can speak it, or without a clear reply.
func (a *askStep) confirmValue(ctx context.Context, value any) (*bool, error) {
	s := a.conversationSession
	text := slot.SpokenValue(*a.step.Slot, value)
	lines := append(scenario.SpokenLines{{Text: text}}, s.commonLines(isCorrect)...)
	if text == "" {
		return nil, nil
	}
	if _, err := s.synthesizeText(ctx, text); err != nil {
		return nil, ignoreError(err, errVoice)
	}
	for n := range maxConfirmations {
		r, err := s.askQuestion(ctx, openQuestion{
			slot:  scenario.AnswerSlot{Name: a.step.Slot.Name, Type: scenario.YesNo},
			lines: lines, again: n, timeout: a.step.AnswerTimeout(), patience: a.step.PatienceFactor(),
		})
		if err != nil {
			return nil, err
		}
		if r.kind == understood && (!r.answer.Doubtful || n > 0) {
			right := r.answer.Value == true
			return &right, nil
		}
		if !r.kind.isRequest() {
			lines = s.commonLines(yesOrNo, pressYesNo)
		}
	}
	s.addError("unconfirmed", "Whether %s was understood rightly was not answered.", a.step.Slot.Name)
	return nil, nil
}

// ignoreError returns err, or nil if it is the expected one.
func ignoreError(err, only error) error {
	if errors.Is(err, only) {
		return nil
	}
	return err
}

// firstSpoken returns the first variant that has lines.
func firstSpoken(all ...scenario.SpokenLines) scenario.SpokenLines {
	for _, lines := range all {
		if len(lines) > 0 {
			return lines
		}
	}
	return nil
}

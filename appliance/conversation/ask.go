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
	var changed *changedCourse
	if errors.As(err, &changed) {
		return changed.next, nil
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
			slot: *a.step.Slot, also: a.otherSlots(), lines: lines, again: a.tries + a.extra, timeout: a.answerTimeout(),
			noBarge: a.step.NoBargeIn, patience: a.step.PatienceFactor(),
		})
		if err != nil {
			return false, err
		}
		a.takeAsides(&r)
		if err := a.reviseEarlier(ctx, &r); err != nil {
			return false, err
		}
		switch r.kind {
		case understood:
			ok, err := a.acceptAnswer(ctx, &r)
			if ok && err == nil {
				err = a.followAnswer(ctx, r)
			}
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

// followAnswer replies to a side question beside an accepted answer, and to a no.
func (a *askStep) followAnswer(ctx context.Context, r questionReply) error {
	if err := a.sayLines(ctx, r.told); err != nil || r.answer.Value != any(false) {
		return err
	}
	return a.offerChange(ctx, r)
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
		if r.kind == askOptions { // with the question, so that one that is named meanwhile is the answer
			names, err := a.speakableLines(ctx, choiceNames(*a.step.Slot))
			return append(names, a.step.Say...), err
		}
		return lines, a.sayLines(ctx, a.requestedLines(r))
	}
	a.tries++
	a.addError("no_match", "The answer to %s was not understood.", a.step.Slot.Name)
	return a.offerKeys(ctx, firstSpoken(a.step.Reask, a.step.Say))
}

// requestedLines returns what a reply asks for, or asks beside an answer.
func (a *askStep) requestedLines(r questionReply) scenario.SpokenLines {
	switch r.kind {
	case askWho:
		return a.identityLines()
	case askDetails:
		return a.told
	}
	return r.told
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
		needed := a.step.Confirm || r.answer.Doubtful
		reply, err := a.confirmValue(ctx, r)
		if err != nil {
			return false, err
		}
		d.Right = reply.isRight()
		if reply.allows(needed) {
			break
		}
		if a.tries++; reply == corrected && a.tries <= a.step.ReaskLimit() {
			return a.acceptAnswer(ctx, r)
		}
		return false, nil
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

// confirmation is the reply to a value that was read back.
type confirmation int

const (
	unreadable  confirmation = iota // no voice can speak the value: it was not read back
	unconfirmed                     // no clear reply
	confirmed
	denied
	corrected // denied, with another value
)

// isRight returns the reply for the call's record; nil without one.
func (c confirmation) isRight() *bool {
	if c == unreadable || c == unconfirmed {
		return nil
	}
	right := c == confirmed
	return &right
}

// allows reports whether the value may be taken. One that had to be confirmed, since it is doubtful or the scenario
// demands it, needs a yes: silence is none.
func (c confirmation) allows(needed bool) bool {
	return c == unreadable || c == confirmed || c == unconfirmed && !needed
}

// confirmValue reads the value of a reply back and asks whether it is right. If it is corrected, the reply has the
// other value, as a doubtful one.
func (a *askStep) confirmValue(ctx context.Context, r *questionReply) (confirmation, error) {
	name, text := a.step.Slot.Name, slot.SpokenValue(*a.step.Slot, r.answer.Value)
	if text == "" {
		return unreadable, nil
	}
	if _, err := a.synthesizeText(ctx, text); err != nil {
		return unreadable, ignoreError(err, errVoice)
	}
	lines := append(scenario.SpokenLines{{Text: text}}, a.commonLines(isCorrect)...)
	for n := range maxConfirmations {
		said, err := a.askQuestion(ctx, openQuestion{
			slot:  scenario.AnswerSlot{Name: name, Type: scenario.YesNo},
			lines: lines, again: n, timeout: a.step.AnswerTimeout(), patience: a.step.PatienceFactor(),
		})
		if err == nil {
			err = a.sayLines(ctx, a.requestedLines(said))
		}
		if err != nil {
			return unconfirmed, err
		}
		switch reply := a.judgeConfirmation(r, said, n > 0); {
		case reply == denied || reply == corrected:
			a.addError("not_confirmed", "What was understood of %s was not right.", name)
			return reply, nil
		case reply == confirmed:
			return reply, nil
		case !said.kind.isRequest():
			lines = a.commonLines(yesOrNo, pressYesNo)
		}
	}
	a.addError("unconfirmed", "Whether %s was understood rightly was not answered.", name)
	return unconfirmed, nil
}

// judgeConfirmation returns what was said to the value of r that was read back. Instead of a yes or after a no people
// name a value: the same one is a yes, another one is kept in r, also after a yes ("yes, Sunday"), unless that may be a
// way to say it ("yes, a hundred per cent"). A doubtful yes or no counts when it is the last.
func (a *askStep) judgeConfirmation(r *questionReply, said questionReply, last bool) confirmation {
	clear := said.kind == understood && (!said.answer.Doubtful || last)
	yes := clear && said.answer.Value == true
	if yes && a.step.Slot.Type == scenario.Number {
		return confirmed
	}
	if a.step.Slot.Type != scenario.YesNo && (clear || said.kind == unclear) {
		words := said.said.WithoutReadings()
		switch named, ok := slot.UnderstandCorrection(*a.step.Slot, r.answer.Value, words, a.localDay()); {
		case ok && named.Value != r.answer.Value:
			named.Doubtful = true
			r.answer, r.said = named, words
			return corrected
		case ok && !clear && !named.Doubtful:
			return confirmed
		}
	}
	switch {
	case yes:
		return confirmed
	case clear:
		return denied
	}
	return unconfirmed
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

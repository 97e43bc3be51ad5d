package dialogue

import (
	"cmp"
	"context"
	"errors"

	"munadi/appliance/dialogue/slot"
	"munadi/store/scenario"
)

const (
	repeats  = 3 // of a question because somebody asks for it, until it counts as not understood
	confirms = 2 // questions whether a value is right
)

// ask finds out one slot. It returns the index of the step that follows.
func (s *session) ask(ctx context.Context, i int) (int, error) {
	step := s.Scenario.Steps[i]
	name := step.Slot.Name
	if s.given[name] {
		delete(s.given, name)
		return s.Scenario.Next(i, step.Next), nil
	}
	delete(s.found, name)
	a := asking{session: s, step: step}
	ok, err := a.run(ctx)
	if err != nil {
		return 0, err
	}
	if !ok {
		return s.Scenario.Next(i, cmp.Or(step.OnFailure, step.Next)), nil
	}
	return s.Scenario.Next(i, step.Next), nil
}

// asking is an ask step on its way.
type asking struct {
	*session
	step  scenario.Step
	tries int // questions that brought nothing
	extra int // repetitions that were asked for
	weak  any // the last doubtful yes or no
}

// run asks until the slot is found, or the question was asked often enough.
func (a *asking) run(ctx context.Context) (bool, error) {
	lines := a.step.Say
	for a.tries <= a.step.Reasks() {
		r, err := a.put(ctx, question{
			slot: *a.step.Slot, lines: lines, again: a.tries + a.extra, timeout: a.step.Timeout(), noBarge: a.step.NoBargeIn,
		})
		if err != nil {
			return false, err
		}
		switch r.kind {
		case understood:
			ok, err := a.accept(ctx, r)
			if ok || err != nil {
				return ok, err
			}
			if lines, err = a.again(ctx, r); err != nil {
				return false, err
			}
		case unspoken:
			return false, nil
		case leaving:
			return false, &interruption{goodbye}
		default:
			if lines, err = a.missed(ctx, r, lines); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// missed says what to ask after no answer.
func (a *asking) missed(ctx context.Context, r reply, lines scenario.Lines) (scenario.Lines, error) {
	switch {
	case r.kind == silent:
		a.tries++
		a.trouble("no_input", "Nothing was answered to %s.", a.step.Slot.Name)
		return first(a.step.NoInput, a.step.Reask, a.step.Say), nil
	case (r.kind == askAgain || r.kind == askWho) && a.extra < repeats:
		a.extra++
		if r.kind == askWho {
			return lines, a.tell(ctx, a.identity())
		}
		return lines, nil
	}
	a.tries++
	a.trouble("no_match", "The answer to %s was not understood.", a.step.Slot.Name)
	return a.offerKeys(ctx, first(a.step.Reask, a.step.Say))
}

// identity is what is said to who asks who is calling.
func (s *session) identity() scenario.Lines {
	if len(s.Scenario.Identify) > 0 {
		return s.Scenario.Identify
	}
	if i := s.Scenario.First(); i < len(s.Scenario.Steps) && s.Scenario.Steps[i].Type == scenario.Say {
		return s.Scenario.Steps[i].Say
	}
	return nil
}

// accept takes an answer, once it is beyond doubt.
func (a *asking) accept(ctx context.Context, r reply) (bool, error) {
	value, name := r.answer.Value, a.step.Slot.Name
	switch {
	case value == nil:
	case a.step.Slot.Type == scenario.YesNo && r.answer.Doubtful && a.weak != value:
		a.weak = value
		a.tries++
		a.trouble("doubtful", "The answer to %s was heard, but not clearly.", name)
		return false, nil
	case a.step.Confirm || r.answer.Doubtful && a.step.Slot.Type != scenario.YesNo:
		right, err := a.confirm(ctx, value)
		if err != nil {
			return false, err
		}
		if !right {
			a.tries++
			a.trouble("not_confirmed", "What was understood of %s was not right.", name)
			return false, nil
		}
	}
	a.find(name, value)
	if a.detector != nil && a.step.Slot.Type != scenario.Text { // to which a machine's greeting is an answer too
		a.detector.Answered(a.now)
	}
	a.aside(r.said)
	return true, nil
}

// again is what to ask after an answer that was not taken.
func (a *asking) again(ctx context.Context, r reply) (scenario.Lines, error) {
	if a.step.Slot.Type == scenario.YesNo && r.answer.Doubtful {
		return a.offerKeys(ctx, a.commons(yesOrNo))
	}
	return a.offerKeys(ctx, first(a.step.Reask, a.step.Say))
}

// aside fills the slots that the same answer may fill.
func (a *asking) aside(said slot.Said) {
	for _, name := range a.step.Also {
		if v, ok := slot.Aside(a.slots[name], said, a.today()); ok {
			a.find(name, v.Value)
			a.given[name] = true
		}
	}
}

// confirm reads a value back and asks whether it is right. A value that nothing can speak is taken as it is, and so
// is one to which nothing clear is said.
func (a *asking) confirm(ctx context.Context, value any) (bool, error) {
	s := a.session
	text := slot.Words(*a.step.Slot, value)
	lines := append(s.commons(didYouSay), append(scenario.Lines{{Text: text}}, s.commons(isCorrect)...)...)
	if text == "" {
		return true, nil
	}
	if _, err := s.voice(ctx, text); err != nil {
		return true, unless(err, errVoice)
	}
	for n := range confirms {
		r, err := s.put(ctx, question{
			slot:  scenario.Slot{Name: a.step.Slot.Name, Type: scenario.YesNo},
			lines: lines, again: n, timeout: a.step.Timeout(),
		})
		if err != nil {
			return false, err
		}
		if r.kind == understood && (!r.answer.Doubtful || n > 0) {
			return r.answer.Value == true, nil
		}
		if r.kind != askAgain && r.kind != askWho {
			lines = s.commons(yesOrNo, pressYesNo)
		}
	}
	s.trouble("unconfirmed", "Whether %s was understood rightly was not answered.", a.step.Slot.Name)
	return true, nil
}

// unless is err, or nil where it is only that one.
func unless(err, only error) error {
	if errors.Is(err, only) {
		return nil
	}
	return err
}

// first is the first of some lines that says something.
func first(all ...scenario.Lines) scenario.Lines {
	for _, lines := range all {
		if len(lines) > 0 {
			return lines
		}
	}
	return nil
}

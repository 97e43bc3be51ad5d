package conversation

import (
	"context"
	"slices"

	"munadi/appliance/conversation/slot"
	"munadi/engine/arabic"
	"munadi/store/scenario"
)

// Instead of answering, a person may take back an earlier answer (a repair across turns): "no, I meant Sunday" to "at
// what time?", "no, make it three" to "shall we confirm the order?". The new value is read back, or spoken by the
// question itself, and the conversation goes on where the changed answer leads; nothing is asked twice.

// changedCourse ends the question of an ask step: what was said instead of an answer leads to another step.
type changedCourse struct{ next int }

func (*changedCourse) Error() string { return "the conversation goes on at another step" }

// reviseEarlier changes the earlier answer that a reply takes back, if it does; the question is then asked again. A
// reply that also answers the question remains an answer.
func (a *askStep) reviseEarlier(ctx context.Context, r *questionReply) error {
	repairs, surely := arabic.FindRepair(r.said.Text)
	i, v, ok := a.findRevised(*r, repairs, surely)
	if !ok || a.extra >= maxRepeats {
		if err := a.cancelAhead(*r); err != nil {
			return err
		}
		return a.changeNamed(ctx, *r)
	}
	if err := a.changeAnswer(ctx, i, v, surely); err != nil {
		return err
	}
	if !a.answersBeside(*r) {
		a.extra++
		r.kind = partly
	}
	if next := a.resumeAfter(i); next != a.index {
		return &changedCourse{next}
	}
	return nil
}

// cancelAhead takes a wish to cancel that does not answer the question as the no to a later one whose phrases cancel:
// "cancel the order" to "which size?".
func (a *askStep) cancelAhead(r questionReply) error {
	if wanted, _ := arabic.FindChangeRequest(r.said.Text); r.kind != unclear || wanted != arabic.CancelRequest {
		return nil
	}
	for i, step := range a.Scenario.Steps {
		if i <= a.index || step.Type != scenario.Ask || step.Slot.Type != scenario.YesNo {
			continue
		}
		if v, ok := a.readAside(step.Slot.Name, slot.HeardAnswer{Text: r.said.Text}); ok && v.Value == any(false) {
			a.setSlot(step.Slot.Name, false)
			return &changedCourse{a.Scenario.NextStep(i, step.Next)}
		}
	}
	return nil
}

// changeAnswer gives the slot of ask step i another value. Unless it is sure, it must be confirmed; otherwise it is
// spoken before the question, if not by it.
func (a *askStep) changeAnswer(ctx context.Context, i int, v slot.SlotAnswer, surely bool) error {
	step := a.Scenario.Steps[i]
	spoken := a.speaksSlot(func(name string) bool { return name == step.Slot.Name })
	switch {
	case step.Slot.Type == scenario.YesNo, spoken && !v.Doubtful:
		a.setSlot(step.Slot.Name, v.Value)
		return nil
	case surely && !v.Doubtful:
		a.setSlot(step.Slot.Name, v.Value)
		return a.sayLines(ctx, scenario.SpokenLines{{Text: slot.SpokenValue(*step.Slot, v.Value), Optional: true}})
	}
	earlier := askStep{conversationSession: a.conversationSession, step: step, index: i}
	v.Doubtful = true
	_, err := earlier.acceptAnswer(ctx, &questionReply{answer: v})
	return err
}

// answersBeside reports whether a reply answers the question whatever it takes back. A no does not: it may belong to
// what is taken back.
func (a *askStep) answersBeside(r questionReply) bool {
	return r.kind == understood && r.answer.Value != any(false)
}

// findRevised returns the nearest earlier ask step to whose slot a reply gives another value than was understood then.
func (a *askStep) findRevised(
	r questionReply, repairs, surely bool,
) (step int, v slot.SlotAnswer, ok bool) {
	text := r.kind == understood && a.step.Slot.Type == scenario.Text // all of it answers
	if r.said.Text == "" || text || r.kind != understood && r.kind != unclear {
		return 0, v, false
	}
	words := r.said.WithoutReadings()
	for i, step := range slices.Backward(a.Scenario.Steps[:a.index]) {
		if step.Type != scenario.Ask || step.Slot.Name == a.step.Slot.Name || a.found[step.Slot.Name] == nil {
			continue
		}
		may := repairs
		switch kind := step.Slot.Type; {
		case a.answersBeside(r): // a number or an hour could be part of the answer
			may = surely && (kind == scenario.Date || kind == scenario.Choice)
		case r.kind == understood:
			may = repairs && a.speaksSlot(func(string) bool { return true }) // what was understood is read back
		case kind == scenario.YesNo:
			may = true // by its own phrases
		}
		if !may {
			continue
		}
		v, ok = a.readAside(step.Slot.Name, words)
		if ok && v.Value != a.found[step.Slot.Name] && v.Value != r.answer.Value { // else it is the answer
			return i, v, true
		}
	}
	return 0, v, false
}

// speaksSlot reports whether the question speaks the value of such a slot.
func (a *askStep) speaksSlot(such func(name string) bool) bool {
	return slices.ContainsFunc(a.step.Say, func(line scenario.SpokenLine) bool {
		parts, err := scenario.ParseTemplate(line.Text)
		return err == nil && slices.ContainsFunc(parts, func(p scenario.TemplatePart) bool {
			_, asked := a.slots[p.Name]
			return asked && such(p.Name)
		})
	})
}

// resumeAfter returns the step at which the conversation goes on after the answer to ask step i was changed: the first
// on its way that was not gone yet. Answers that lie on the way are kept, others are unknown again.
func (a *askStep) resumeAfter(i int) int {
	ahead := a.Scenario.AsksAfter(i, a.found[a.Scenario.Steps[i].Slot.Name])
	at := a.Scenario.NextStep(i, a.Scenario.Steps[i].Next)
	passed := map[string]bool{}
	for n := 0; n < mostSteps && at < len(a.Scenario.Steps); n++ {
		step := a.Scenario.Steps[at]
		if step.Type == scenario.Branch {
			at = a.runBranch(at)
			continue
		}
		if step.Type != scenario.Say && step.Type != scenario.Ask || !a.ran[at] ||
			step.Type == scenario.Ask && a.found[step.Slot.Name] == nil {
			break
		}
		if step.Type == scenario.Ask {
			passed[step.Slot.Name] = true
			delete(a.filledAside, step.Slot.Name)
		}
		at = a.Scenario.NextStep(at, step.Next)
	}
	for _, step := range a.Scenario.Steps[i+1 : a.index] {
		if step.Type != scenario.Ask || a.found[step.Slot.Name] == nil || passed[step.Slot.Name] {
			continue
		}
		if ahead[step.Slot.Name] {
			a.filledAside[step.Slot.Name] = true
		} else {
			a.setSlot(step.Slot.Name, nil)
		}
	}
	return at
}

package conversation

import (
	"context"
	"slices"

	"munadi/appliance/conversation/slot"
	"munadi/store/scenario"
)

// Slots that an answer fills aside are those of the step's also: in the field's words, the person answers more than was
// asked (over-answering, mixed initiative). A value that the call itself named is no answer: in "no, Thursday doesn't
// suit me" Thursday is the appointment.

// readAside returns the value of another slot in an answer; false if there is none.
func (a *askStep) readAside(name string, said slot.HeardAnswer) (slot.SlotAnswer, bool) {
	var others []string
	for _, other := range a.slots {
		for _, choice := range other.Choices {
			if other.Name != name {
				others = append(others, choice.Phrases...)
			}
		}
	}
	v, ok := slot.UnderstandAside(a.slots[name], said, a.localDay(), others...)
	return v, ok && (a.slots[name].Type != scenario.Date || !a.namedByCall(v.Value))
}

// otherSlots returns the slots that an answer fills aside.
func (a *askStep) otherSlots() (all []scenario.AnswerSlot) {
	for _, name := range a.step.Also {
		all = append(all, a.slots[name])
	}
	return all
}

// namedByCall reports whether a value is one of the call's variables.
func (a *askStep) namedByCall(value any) bool {
	for _, v := range a.variables {
		if equalScalars(v, value) {
			return true
		}
	}
	return false
}

// fillOtherSlots fills the slots that the same answer may fill; after a yes or no those that can still be asked for.
func (a *askStep) fillOtherSlots(said slot.HeardAnswer, value any) {
	also := a.step.Also
	if yes, isYesNo := value.(bool); isYesNo && len(also) > 0 {
		ahead := a.Scenario.AsksAfter(a.index, yes)
		also = slices.DeleteFunc(slices.Clone(also), func(name string) bool { return !ahead[name] })
	}
	for _, name := range also {
		switch v, ok := a.readAside(name, said); {
		case ok && v.Doubtful:
			a.heardAside[name] = v.Value
		case ok:
			a.setSlot(name, v.Value)
			a.filledAside[name] = true
		}
	}
}

// confirmAside reads back a doubtful value of the step's slot that was heard with another answer, instead of the
// question; false if there is none, or if it is not right.
func (a *askStep) confirmAside(ctx context.Context) (bool, error) {
	name := a.step.Slot.Name
	value, heard := a.heardAside[name]
	if !heard {
		return false, nil
	}
	delete(a.heardAside, name)
	ok, err := a.acceptAnswer(ctx, &questionReply{answer: slot.SlotAnswer{Value: value, Doubtful: true}})
	a.tries = 0 // the question has not been asked yet
	return ok, err
}

// takeAsides looks for the other slots in words that do not answer the question. To a yes or no they are a yes if only
// a yes leads to their question: "Sunday" to "another day?". Any other question keeps them, and is asked once more
// without having failed.
func (a *askStep) takeAsides(r *questionReply) {
	if r.kind != unclear || r.said.Text == "" {
		return
	}
	named := func(name string) bool { _, ok := a.readAside(name, r.said); return ok }
	switch {
	case a.isImplied(a.step.Also, named):
		r.kind, r.answer = understood, slot.SlotAnswer{Value: true}
	case a.step.Slot.Type == scenario.YesNo: // "yes, but on Sunday": to be read back where a day is asked for
		for _, name := range a.step.Also {
			if v, ok := a.readAside(name, r.said); ok {
				a.heardAside[name] = v.Value
			}
		}
	case slices.ContainsFunc(a.step.Also, func(name string) bool {
		return a.found[name] == nil && a.heardAside[name] == nil && named(name)
	}):
		a.fillOtherSlots(r.said, nil)
		r.kind = partly
	}
}

// isImplied reports whether one of the slots that are known is asked for after a yes alone.
func (a *askStep) isImplied(slots []string, known func(string) bool) bool {
	if a.step.Slot.Type != scenario.YesNo || !slices.ContainsFunc(slots, known) {
		return false
	}
	yes, no := a.Scenario.AsksAfter(a.index, true), a.Scenario.AsksAfter(a.index, false)
	return slices.ContainsFunc(slots, func(name string) bool { return known(name) && yes[name] && !no[name] })
}

package scenario

import (
	"slices"
	"strconv"
	"strings"
)

// usualSlot is the name of a new slot.
const usualSlot = "answer"

// NewStep returns an empty step with an unused id; for an unknown type one without a type.
func (s Scenario) NewStep(kind StepType) FlowStep {
	step := FlowStep{ID: s.UnusedStepID(string(kind)), Type: kind}
	switch kind {
	case Say, End, Transfer, LLMStep:
	case Fetch:
		step.Slots = []AnswerSlot{s.NewSlot()}
	case Ask:
		step.Slot = &AnswerSlot{Name: s.UnusedValueName(usualSlot), Type: YesNo}
	case Branch:
		step.Cases = []BranchCase{}
	default:
		return FlowStep{}
	}
	return step
}

// ChangeStepType gives a step another type. It keeps its id, label and what both types have; an unknown type changes
// nothing.
func (s *Scenario) ChangeStepType(i int, kind StepType) {
	old, step := s.Steps[i], s.NewStep(kind)
	if step.Type == "" || old.Type == kind {
		return
	}
	step.ID, step.Label = old.ID, old.Label
	if kind != Branch {
		step.Say = old.Say
	}
	if kind != End {
		step.Next = old.Next
	}
	if kind == Ask || kind == Transfer || kind == LLMStep || kind == Fetch {
		step.OnFailure = old.OnFailure
	}
	if kind == Ask || kind == LLMStep {
		step.NoBargeIn, step.Patience, step.TimeoutSeconds = old.NoBargeIn, old.Patience, old.TimeoutSeconds
	}
	s.Steps[i] = step
}

// NewSlot returns an empty slot of a language model's step, with an unused name.
func (s Scenario) NewSlot() AnswerSlot {
	return AnswerSlot{Name: s.UnusedValueName(usualSlot), Type: Text}
}

// MadeSlotName returns the name that a slot gets from its label.
func MadeSlotName(l Label) string { return NameFromLabel(l, usualSlot) }

// MadeVariableName returns the name that a variable gets from its label.
func MadeVariableName(l Label) string { return NameFromLabel(l, "value") }

// RemoveStep removes a step. Transitions to it lead to the step after it.
func (s *Scenario) RemoveStep(i int) {
	gone, next := s.Steps[i].ID, ""
	if i+1 < len(s.Steps) {
		next = s.Steps[i+1].ID
	}
	s.Steps = slices.Delete(s.Steps, i, i+1)
	s.eachTransition(func(id *string) {
		if *id == gone {
			*id = next
		}
	})
}

// RemoveEntry removes an entry of a list of the scenario by its path: variables.2, tests.0, steps.1.cases.0,
// steps.1.tools.0, steps.1.slots.0, steps.1.slot.choices.0 or steps.1.slots.0.choices.2. It reports whether there was
// one.
func (s *Scenario) RemoveEntry(path string) bool {
	list, number := "", path
	if at := strings.LastIndexByte(path, '.'); at >= 0 {
		list, number = path[:at], path[at+1:]
	}
	i, err := strconv.Atoi(number)
	if err != nil {
		return false
	}
	switch list {
	case "variables":
		return removeAt(&s.Variables, i)
	case "tests":
		return removeAt(&s.Tests, i)
	case "questions":
		return removeAt(&s.Questions, i)
	}
	for k := range s.Steps {
		step, at := &s.Steps[k], IndexPath("steps", k)
		switch {
		case list == at+".cases":
			return removeAt(&step.Cases, i)
		case list == at+".tools":
			return removeAt(&step.Tools, i)
		case list == at+".slots":
			return removeAt(&step.Slots, i)
		case list == at+".slot.choices" && step.Slot != nil:
			return removeAt(&step.Slot.Choices, i)
		}
		for n := range step.Slots {
			if list == IndexPath(at+".slots", n)+".choices" {
				return removeAt(&step.Slots[n].Choices, i)
			}
		}
	}
	return false
}

func removeAt[E any](list *[]E, i int) bool {
	if i < 0 || i >= len(*list) {
		return false
	}
	*list = slices.Delete(*list, i, i+1)
	return true
}

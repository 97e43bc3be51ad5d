package scenarios

import (
	"slices"
	"strconv"
	"strings"

	"munadi/store/scenario"
)

// changeSteps applies a change to a draft's steps: the name of the editor's button and the index of a step, such as
// "up:2" or "add-ask:3". Unknown names and indexes are ignored.
func changeSteps(s *scenario.Scenario, op string) {
	name, number, _ := strings.Cut(op, ":")
	i, err := strconv.Atoi(number)
	kind, adds := strings.CutPrefix(name, "add-")
	switch {
	case err != nil || i < -1 || i >= len(s.Steps) || i < 0 && !adds:
	case adds:
		addStep(s, i+1, newStep(s, scenario.StepType(kind)))
	case name == "copy":
		addStep(s, i+1, copyStep(s, s.Steps[i]))
	case name == "delete":
		deleteStep(s, i)
	case name == "up" && i > 0:
		s.Steps[i], s.Steps[i-1] = s.Steps[i-1], s.Steps[i]
	case name == "down" && i+1 < len(s.Steps):
		s.Steps[i], s.Steps[i+1] = s.Steps[i+1], s.Steps[i]
	case name == "branch" && s.Steps[i].Slot != nil:
		addStep(s, i+1, branchStep(s, i))
	case name == "slot" && (s.Steps[i].Type == scenario.LLMStep || s.Steps[i].Type == scenario.Fetch):
		s.Steps[i].Slots = append(s.Steps[i].Slots, scenario.AnswerSlot{Name: unusedSlot(s, "answer"), Type: scenario.Text})
	}
}

func addStep(s *scenario.Scenario, at int, step scenario.FlowStep) {
	if len(s.Steps) < scenario.MaxSteps && step.Type != "" {
		s.Steps = slices.Insert(s.Steps, at, step)
	}
}

// newStep returns an empty step; for an unknown type one without a type.
func newStep(s *scenario.Scenario, kind scenario.StepType) scenario.FlowStep {
	step := scenario.FlowStep{ID: unusedStepID(s, string(kind)), Type: kind}
	switch kind {
	case scenario.Say, scenario.End, scenario.Transfer, scenario.LLMStep:
	case scenario.Fetch:
		step.Slots = []scenario.AnswerSlot{{Name: unusedSlot(s, "answer"), Type: scenario.Text}}
	case scenario.Ask:
		step.Slot = &scenario.AnswerSlot{Name: unusedSlot(s, "answer"), Type: scenario.YesNo}
	case scenario.Branch:
		step.Cases = []scenario.BranchCase{}
	default:
		return scenario.FlowStep{}
	}
	return step
}

// copyStep returns a copy of a step with a new id and new slot names.
func copyStep(s *scenario.Scenario, step scenario.FlowStep) scenario.FlowStep {
	step.ID = unusedStepID(s, step.ID)
	step.Say, step.Reask, step.NoInput = slices.Clone(step.Say), slices.Clone(step.Reask), slices.Clone(step.NoInput)
	step.Cases, step.Also, step.Send = slices.Clone(step.Cases), slices.Clone(step.Also), slices.Clone(step.Send)
	if step.Slot != nil {
		slot := copySlot(s, *step.Slot)
		step.Slot = &slot
	}
	slots := step.Slots
	step.Slots = nil
	for _, slot := range slots {
		step.Slots = append(step.Slots, copySlot(s, slot))
	}
	return step
}

func copySlot(s *scenario.Scenario, slot scenario.AnswerSlot) scenario.AnswerSlot {
	slot.Name = unusedSlot(s, slot.Name)
	slot.Choices = slices.Clone(slot.Choices)
	return slot
}

// deleteStep removes a step. Transitions to it lead to the step after it.
func deleteStep(s *scenario.Scenario, i int) {
	gone, next := s.Steps[i].ID, ""
	if i+1 < len(s.Steps) {
		next = s.Steps[i+1].ID
	}
	s.Steps = slices.Delete(s.Steps, i, i+1)
	redirect := func(id *string) {
		if *id == gone {
			*id = next
		}
	}
	redirect(&s.Start)
	for k := range s.Steps {
		step := &s.Steps[k]
		redirect(&step.Next)
		redirect(&step.OnFailure)
		for n := range step.Cases {
			redirect(&step.Cases[n].Next)
		}
	}
}

// branchStep returns a branch on the answer to question i: one case for each answer, which leads to the next step.
func branchStep(s *scenario.Scenario, i int) scenario.FlowStep {
	slot, next := s.Steps[i].Slot, ""
	if i+1 < len(s.Steps) {
		next = s.Steps[i+1].ID
	}
	step := scenario.FlowStep{ID: unusedStepID(s, "branch"), Type: scenario.Branch}
	addCase := func(value any) {
		step.Cases = append(step.Cases, scenario.BranchCase{Slot: slot.Name, Equals: value, Next: next})
	}
	switch slot.Type {
	case scenario.YesNo:
		addCase(true)
		addCase(false)
	case scenario.Choice:
		for _, o := range slot.Choices {
			addCase(o.Value)
		}
	default:
		known := true
		step.Cases = []scenario.BranchCase{{Slot: slot.Name, IsSet: &known, Next: next}}
	}
	return step
}

// unusedStepID returns a step id that is not in use, derived from id.
func unusedStepID(s *scenario.Scenario, id string) string {
	return unusedName(id, func(name string) bool { return s.FindStep(name) < len(s.Steps) })
}

// unusedSlot returns a name that no slot and no variable has, derived from name.
func unusedSlot(s *scenario.Scenario, name string) string {
	taken := map[string]bool{}
	for _, slot := range s.AllSlots() {
		taken[slot.Name] = true
	}
	for _, v := range s.Variables {
		taken[v.Name] = true
	}
	return unusedName(name, func(name string) bool { return taken[name] })
}

func unusedName(name string, taken func(string) bool) string {
	base := name[:min(len(name), 58)]
	for n := 2; taken(name); n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	return name
}

package scenario

// AllSlots returns what the conversation finds out, in the order of the steps; one that is asked for twice comes once.
func (s Scenario) AllSlots() []AnswerSlot {
	var slots []AnswerSlot
	seen := map[string]bool{}
	for _, step := range s.Steps {
		for _, slot := range step.FoundSlots() {
			if !seen[slot.Name] {
				seen[slot.Name] = true
				slots = append(slots, slot)
			}
		}
	}
	return slots
}

// FoundSlots returns the slots that a step by itself finds out.
func (s FlowStep) FoundSlots() []AnswerSlot {
	if s.Slot != nil {
		return append([]AnswerSlot{*s.Slot}, s.Slots...)
	}
	return s.Slots
}

// FixedPrompts returns the fixed texts that must be spoken: each once, in the order of the steps; without the optional
// ones and those with templates.
func (s Scenario) FixedPrompts() []string {
	var texts []string
	seen := map[string]bool{}
	for _, line := range s.SpokenLines() {
		if !line.Optional && IsFixed(line.Text) && !seen[line.Text] {
			seen[line.Text] = true
			texts = append(texts, line.Text)
		}
	}
	return texts
}

// SpokenLines returns all lines of all steps.
func (s Scenario) SpokenLines() SpokenLines {
	var all SpokenLines
	for _, step := range s.Steps {
		all = append(all, step.Say...)
		all = append(all, step.Reask...)
		all = append(all, step.NoInput...)
	}
	return append(all, s.Identify...)
}

// FirstStep returns the index of the step that the conversation begins with.
func (s Scenario) FirstStep() int {
	if s.Start == "" {
		return 0
	}
	return s.FindStep(s.Start)
}

// FindStep returns the index of the step with an id; len(Steps) without one.
func (s Scenario) FindStep(id string) int {
	for i, step := range s.Steps {
		if step.ID == id {
			return i
		}
	}
	return len(s.Steps)
}

// NextStep returns the index of the step that follows step i when it leads to id; empty: the next in the list.
func (s Scenario) NextStep(i int, id string) int {
	if id == "" {
		return i + 1
	}
	return s.FindStep(id)
}

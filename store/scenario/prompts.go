package scenario

// Slots are what the conversation finds out, in the order of the steps; one that is asked for twice comes once.
func (s Scenario) Slots() []Slot {
	var slots []Slot
	seen := map[string]bool{}
	for _, step := range s.Steps {
		for _, slot := range step.Finds() {
			if !seen[slot.Name] {
				seen[slot.Name] = true
				slots = append(slots, slot)
			}
		}
	}
	return slots
}

// Finds are the slots that a step by itself finds out.
func (s Step) Finds() []Slot {
	if s.Slot != nil {
		return append([]Slot{*s.Slot}, s.Slots...)
	}
	return s.Slots
}

// Prompts are the fixed texts that must be spoken: each once, in the order of the steps; without the optional ones
// and those with templates.
func (s Scenario) Prompts() []string {
	var texts []string
	seen := map[string]bool{}
	for _, line := range s.Spoken() {
		if !line.Optional && Fixed(line.Text) && !seen[line.Text] {
			seen[line.Text] = true
			texts = append(texts, line.Text)
		}
	}
	return texts
}

// Spoken are all lines of all steps.
func (s Scenario) Spoken() Lines {
	var all Lines
	for _, step := range s.Steps {
		all = append(all, step.Say...)
		all = append(all, step.Reask...)
		all = append(all, step.NoInput...)
	}
	return append(all, s.Identify...)
}

// First is the index of the step that the conversation begins with.
func (s Scenario) First() int {
	if s.Start == "" {
		return 0
	}
	return s.Find(s.Start)
}

// Find is the index of the step with an id; len(Steps) without one.
func (s Scenario) Find(id string) int {
	for i, step := range s.Steps {
		if step.ID == id {
			return i
		}
	}
	return len(s.Steps)
}

// Next is the index of the step that follows step i when it leads to id; empty: the next in the list.
func (s Scenario) Next(i int, id string) int {
	if id == "" {
		return i + 1
	}
	return s.Find(id)
}

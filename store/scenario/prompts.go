package scenario

// AllSlots returns the slots of all steps, in order, without duplicates.
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

// FoundSlots returns the slots that a step fills.
func (s FlowStep) FoundSlots() []AnswerSlot {
	if s.Slot != nil {
		return append([]AnswerSlot{*s.Slot}, s.Slots...)
	}
	return s.Slots
}

// LineList is a list of lines of a step.
type LineList struct {
	Field string // its name in JSON
	Lines *SpokenLines
	Types []StepType // of the steps that may have it
}

// LineLists returns all that a step may say, in order, those that it may not have by its type included.
func (s *FlowStep) LineLists() []LineList {
	return []LineList{
		{"say", &s.Say, []StepType{Say, Ask, Transfer, LLMStep, Fetch, End}},
		{"reask", &s.Reask, []StepType{Ask}},
		{"no_input", &s.NoInput, []StepType{Ask}},
		{"change", &s.Change, []StepType{Ask}},
		{"announce", &s.Announce, []StepType{Transfer}},
	}
}

// SpokenLines returns all lines: those of the steps, then those that belong to none.
func (s Scenario) SpokenLines() SpokenLines {
	var all SpokenLines
	for _, step := range s.Steps {
		for _, list := range step.LineLists() {
			all = append(all, *list.Lines...)
		}
	}
	all = append(append(all, s.Identify...), s.Voicemail...)
	for _, q := range s.Questions {
		all = append(all, q.Say...)
	}
	return all
}

// FirstStep returns the index of the first step.
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

// NextStep returns the index of the step with an id; for an empty id the step after i.
func (s Scenario) NextStep(i int, id string) int {
	if id == "" {
		return i + 1
	}
	return s.FindStep(id)
}

// SpokenVariables returns the declared variables that a line speaks, optional lines included, in the order of their
// declaration. Those with a default are left out, since no call lacks them.
func (s Scenario) SpokenVariables() []ScenarioVariable {
	spoken := map[string]bool{}
	for _, line := range s.SpokenLines() {
		parts, _ := ParseTemplate(line.Text)
		for _, part := range parts {
			spoken[part.Name] = true
		}
	}
	var found []ScenarioVariable
	for _, v := range s.Variables {
		if spoken[v.Name] && v.Default == "" {
			found = append(found, v)
		}
	}
	return found
}

// SpokenType returns the type of a variable: the declared one, else the way in which a line speaks it.
func (s Scenario) SpokenType(v ScenarioVariable) VariableType {
	if v.Type != "" {
		return v.Type
	}
	for _, line := range s.SpokenLines() {
		parts, _ := ParseTemplate(line.Text)
		for _, part := range parts {
			if part.Name == v.Name && (part.Filter == AsDate || part.Filter == AsTime) {
				return VariableType(part.Filter)
			}
		}
	}
	return ""
}

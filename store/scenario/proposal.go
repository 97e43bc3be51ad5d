package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// PhraseProposal is a phrase that people answered a question with and that was not understood, with the value that
// staff then gave the answer. It changes nothing until somebody accepts it.
type PhraseProposal struct {
	ID     string `json:"id"`
	Slot   string `json:"slot"`   // a yes_no or a choice
	Value  any    `json:"value"`  // a boolean, or the value of an option
	Heard  string `json:"heard"`  // as recognized
	Phrase string `json:"phrase"` // to be added: what was heard, as corrected by staff
	Calls  int    `json:"calls"`  // with different persons
}

// ProposalID names a phrase for a value of a scenario's slot.
func ProposalID(scenarioID, slot string, value any, phrase string) string {
	text, _ := json.Marshal([]any{scenarioID, slot, value, phrase}) //nolint:errchkjson // no value of a slot fails
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// AddPhrase adds a proposed phrase to its slot wherever the scenario asks for it; false if no slot takes it.
func (s *Scenario) AddPhrase(p PhraseProposal) bool {
	added := false
	s.Steps = slices.Clone(s.Steps)
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Slot != nil && step.Slot.Name == p.Slot {
			changed := *step.Slot
			added = changed.addPhrase(p.Value, p.Phrase) || added
			step.Slot = &changed
		}
		step.Slots = slices.Clone(step.Slots)
		for j := range step.Slots {
			if step.Slots[j].Name == p.Slot {
				added = step.Slots[j].addPhrase(p.Value, p.Phrase) || added
			}
		}
	}
	return added
}

// addPhrase adds a phrase to those of a value; false if the slot has no such value, or has the phrase.
func (s *AnswerSlot) addPhrase(value any, phrase string) bool {
	list := &s.No
	switch given := value.(type) {
	case bool:
		if s.Type != YesNo {
			return false
		}
		if given {
			list = &s.Yes
		}
	case string:
		i := slices.IndexFunc(s.Choices, func(o ChoiceOption) bool { return o.Value == given })
		if s.Type != Choice || i < 0 {
			return false
		}
		s.Choices = slices.Clone(s.Choices)
		list = &s.Choices[i].Phrases
	default:
		return false
	}
	if slices.Contains(*list, phrase) {
		return false
	}
	*list = append(slices.Clip(*list), phrase)
	return true
}

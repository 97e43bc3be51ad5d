package conversation

import (
	"fmt"
	"strings"

	"munadi/appliance/conversation/grounding"
	"munadi/engine/arabic"
	"munadi/store/call"
)

// callFacts are the facts of a call, and how many of its messages they hold.
type callFacts struct {
	*grounding.Facts
	read int
}

// knownFacts returns what a language model may state: the scenario's own texts, the values of the booking and of the
// conversation, and the person's words so far. Tools add their answers.
func (s *conversationSession) knownFacts() *callFacts {
	facts := &callFacts{Facts: grounding.NewFacts(s.localDay())}
	for _, step := range s.Scenario.Steps {
		facts.AddText(step.Prompt)
		for _, line := range step.Say {
			facts.AddText(line.Text)
		}
	}
	for _, slot := range s.Scenario.AllSlots() {
		for _, o := range slot.Choices {
			facts.AddText(strings.Join(append(o.Phrases, o.Value), " "))
		}
	}
	for _, v := range s.variables {
		facts.AddValue(v)
	}
	return facts
}

// findUngrounded returns what a sentence states though nothing in the call says it.
func (a *modelAnswer) findUngrounded(sentence string) (grounding.Claim, bool) {
	for _, v := range a.found {
		a.facts.AddValue(v)
	}
	for _, m := range a.messages[a.facts.read:] {
		if m.Role == call.User {
			a.facts.AddText(m.Content)
		}
	}
	a.facts.read = len(a.messages)
	return a.facts.FindUngrounded(sentence)
}

// withholdSentence records a sentence that is not spoken, and why; in the log without what it states.
func (a *modelAnswer) withholdSentence(sentence string, c grounding.Claim) {
	a.addError("llm_ungrounded",
		"A sentence of the language model in %s was not spoken: its %s “%s” comes from nothing in the call: %s",
		a.step.ID, c.Kind, a.Text.FormatText(c.Text), a.Text.FormatText(sentence))
	if a.OnFault != nil {
		hidden := strings.ReplaceAll(sentence, c.Text, arabic.RedactedText)
		words := strings.Fields(hidden)
		var shown []string
		for _, p := range arabic.MaskWords(words, arabic.FindIdentifiers(words)) {
			shown = append(shown, p.Text)
		}
		a.OnFault(fmt.Errorf("step %s: a sentence was not spoken for its %s that is not grounded: %s",
			a.step.ID, c.Kind, strings.Join(shown, " ")))
	}
}

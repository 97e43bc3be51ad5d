package conversation

import (
	"context"
	"slices"
	"strings"

	"munadi/appliance/conversation/phrase"
	"munadi/engine/arabic"
	"munadi/store/scenario"
)

// A no to a question that reads answers back ("shall we confirm the order?") seldom means that all is off: a step with
// change lines asks what is to change. The reply may give the values ("three", "large, and no drink"), name an answer
// ("the address"), whose question is then asked again, or agree, which asks the first one again. Then the conversation
// goes on as after any answer that is taken back.

// offerChange asks what is to change after a no that does not cancel. After another no, or silence, the no stands.
func (a *askStep) offerChange(ctx context.Context, no questionReply) error {
	if len(a.step.Change) == 0 || a.changesAsked >= maxRepeats {
		return nil
	}
	if wanted, _ := arabic.FindChangeRequest(no.said.Text); wanted == arabic.CancelRequest {
		return nil
	}
	a.changesAsked++
	q := openQuestion{
		slot:  scenario.AnswerSlot{Name: a.step.Slot.Name, Type: scenario.YesNo, No: a.step.Slot.No},
		lines: a.step.Change, timeout: a.step.AnswerTimeout(), patience: a.step.PatienceFactor(),
	}
	for ; q.again <= a.step.ReaskLimit(); q.again++ {
		r, err := a.askQuestion(ctx, q)
		if err != nil || r.kind == silent || r.kind == unspoken {
			return err
		}
		if r.kind == leaving {
			return &intentInterruption{goodbye}
		}
		if err := a.takeChange(ctx, r); err != nil || r.kind == understood && r.answer.Value == any(false) {
			return err
		}
		if err := a.sayLines(ctx, a.requestedLines(r)); err != nil {
			return err
		}
	}
	a.addError("no_match", "What is to change after a no to %s was not understood.", a.step.Slot.Name)
	a.answerMissed = true
	return nil
}

// takeChange changes the earlier answers that a reply to the change lines gives or names; after a yes alone the first
// that the question speaks is asked for again.
func (a *askStep) takeChange(ctx context.Context, r questionReply) error {
	if r.kind != understood && r.kind != unclear {
		return nil
	}
	words := r.said.WithoutReadings()
	first := -1
	for i, step := range a.Scenario.Steps[:a.index] {
		if step.Type != scenario.Ask || a.found[step.Slot.Name] == nil {
			continue
		}
		if v, ok := a.readAside(step.Slot.Name, words); ok && v.Value != a.found[step.Slot.Name] {
			if err := a.changeAnswer(ctx, i, v, true); err != nil {
				return err
			}
			if first < 0 {
				first = i
			}
		}
	}
	if first >= 0 {
		return a.resumeFrom(first)
	}
	if i := a.findNamed(r.said.Text); i >= 0 {
		return a.changeByQuestion(ctx, i)
	}
	if r.kind == understood && r.answer.Value == any(true) {
		for i, step := range a.Scenario.Steps[:a.index] {
			if step.Type == scenario.Ask && a.speaksSlot(func(name string) bool { return name == step.Slot.Name }) {
				return a.changeByQuestion(ctx, i)
			}
		}
	}
	return nil
}

// changeNamed asks again for the answer that a no, or words that are no answer, name: "no, the address is wrong".
func (a *askStep) changeNamed(ctx context.Context, r questionReply) error {
	refused := r.kind == understood && r.answer.Value == any(false)
	if len(a.step.Change) == 0 || a.changesAsked >= maxRepeats || !refused && r.kind != unclear {
		return nil
	}
	i := a.findNamed(r.said.Text)
	if i < 0 {
		return nil
	}
	a.changesAsked++
	return a.changeByQuestion(ctx, i)
}

// changeByQuestion asks the question of step i again. Without an answer the earlier one is kept.
func (a *askStep) changeByQuestion(ctx context.Context, i int) error {
	earlier := askStep{conversationSession: a.conversationSession, step: a.Scenario.Steps[i], index: i}
	if _, err := earlier.askUntilAnswered(ctx); err != nil {
		return err
	}
	return a.resumeFrom(i)
}

// resumeFrom ends the question, and leads to where the conversation goes on after the answer to step i was changed.
func (a *askStep) resumeFrom(i int) error {
	a.setSlot(a.step.Slot.Name, nil)
	return &changedCourse{a.resumeAfter(i)}
}

// findNamed returns the nearest earlier step that asked for what words name by its label; -1 without one.
func (a *askStep) findNamed(text string) int {
	words := withoutArticles(text)
	for i, step := range slices.Backward(a.Scenario.Steps[:a.index]) {
		if step.Type != scenario.Ask || !a.wasAsked[step.Slot.Name] && a.found[step.Slot.Name] == nil {
			continue
		}
		label := step.Slot.Label
		names := phrase.NewList([]string{
			strings.Join(withoutArticles(label.Arabic), " "), strings.Join(withoutArticles(label.English), " "),
		})
		if names.IndexIn(words) >= 0 {
			return i
		}
	}
	return -1
}

// withoutArticles returns the folded words of a text without their definite article.
func withoutArticles(text string) []string {
	words := phrase.FoldWords(text)
	for i, w := range words {
		words[i] = strings.TrimPrefix(w, "ال")
	}
	return words
}

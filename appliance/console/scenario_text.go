package console

import (
	"fmt"
	"strings"

	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// scriptText returns a scenario as plain text for comparison by lines: spoken lines and questions, transitions, and how
// its calls are conducted.
func scriptText(s scenario.Scenario, lang locale.Language) string {
	w := locale.ScenariosIn(lang)
	t := &textWriter{words: w}
	t.addLine("%s: %s", w.Name, s.Name)
	for line := range strings.Lines(strings.TrimSpace(s.Description)) {
		t.addLine("%s", strings.TrimSpace(line))
	}
	for _, v := range s.Variables {
		t.addLine("%s: %s (%s) %s", w.Variables, isolateText(labelText(lang, v.Label, v.Name)), isolateText(v.Name),
			strings.Join(choiceNames(lang, v), " · "))
	}
	steps, identify := scriptView(s, lang)
	for _, step := range steps {
		t.addLine("")
		t.addStep(step)
	}
	t.addLine("")
	t.addSpoken(w.Identify, identify)
	for _, fact := range conductFacts(s, lang) {
		t.addLine("%s: %s", fact.Label, fact.Value)
	}
	return t.out.String()
}

// textWriter writes a script as lines.
type textWriter struct {
	words locale.ScenariosWords
	out   strings.Builder
}

func (t *textWriter) addLine(format string, args ...any) {
	t.out.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

func (t *textWriter) addStep(step page.ScriptStep) {
	w := t.words
	t.addLine("%s: %s (%s)", w.StepName(step.Kind), isolateText(step.Label), isolateText(step.ID))
	t.addSpoken(w.Say, step.Say)
	if step.Prompt != "" {
		t.addLine("%s: %s", w.Model, step.Prompt)
	}
	if step.To != "" {
		t.addLine("%s: %s", w.To, step.To)
	}
	if step.Slot != nil {
		t.addSlot(*step.Slot)
	}
	for _, slot := range step.Finds {
		t.addSlot(slot)
	}
	t.addSpoken(w.Reask, step.Reask)
	t.addSpoken(w.NoInput, step.NoInput)
	if len(step.Notes) > 0 {
		t.addLine("%s", strings.Join(step.Notes, " · "))
	}
	for _, way := range step.Ways {
		t.addLine("→ %s", t.wayText(way))
	}
}

func (t *textWriter) addSpoken(label string, lines []page.ScriptLine) {
	for _, line := range lines {
		note := ""
		if line.Optional {
			note = "(" + t.words.Optional + ")"
		}
		t.addLine("%s: %s %s", label, line.Text, note)
	}
}

func (t *textWriter) addSlot(slot page.ScriptSlot) {
	w := t.words
	t.addLine("%s %s (%s: %s) %s", w.Asks, isolateText(slot.Label), isolateText(slot.Name), w.SlotName(slot.Kind),
		strings.Join(slot.Notes, " · "))
	for _, choice := range slot.Choices {
		t.addLine("- %s (%s): %s %s", choice.Label, choice.Value, strings.Join(choice.Phrases, "، "), choice.Key)
	}
	t.addPhrases(w.Yes, slot.Yes)
	t.addPhrases(w.No, slot.No)
	t.addPhrases(w.Also, slot.Also)
}

func (t *textWriter) addPhrases(label string, phrases []string) {
	if len(phrases) > 0 {
		t.addLine("%s: %s", label, strings.Join(phrases, "، "))
	}
}

func (t *textWriter) wayText(way page.ScriptWay) string {
	w := t.words
	target := w.EndsThere
	if way.Target != "" {
		target = w.Goes + " " + way.TargetLabel
	}
	switch {
	case way.Slot == "" && way.Label == "":
		return target
	case way.Slot == "":
		return way.Label + ": " + target
	case way.Known == nil:
		return fmt.Sprintf("%s %s %s %s: %s", w.When, way.Slot, w.Is, way.Value, target)
	case *way.Known:
		return fmt.Sprintf("%s %s %s: %s", w.When, way.Slot, w.IsSet, target)
	}
	return fmt.Sprintf("%s %s %s: %s", w.When, way.Slot, w.IsUnset, target)
}

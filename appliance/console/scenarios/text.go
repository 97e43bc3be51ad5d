package scenarios

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// scriptPart is a part of a scenario for comparison: a step, or everything else, which has no id.
type scriptPart struct {
	id, title string
	text      string // lines, as people read them
	source    string // JSON: all that the text may leave out
}

// scriptParts returns the parts of a scenario in a language: first what belongs to no step (variables, lines for every
// step, how its calls are conducted), then the steps.
func scriptParts(s scenario.Scenario, lang locale.Language) ([]scriptPart, error) {
	steps, identify, questions := scriptView(s, lang)
	head := &textWriter{lang: lang}
	head.addHead(s, identify, questions)
	rest := s
	rest.Steps = nil
	source, err := scenarioJSON(rest)
	parts := []scriptPart{{title: scenarios.EditorSettings.In(lang), text: head.out.String(), source: source}}
	for i, step := range steps {
		t := &textWriter{lang: lang}
		t.addStep(step)
		source, failed := json.Marshal(s.Steps[i])
		err = errors.Join(err, failed)
		parts = append(parts, scriptPart{
			id: step.ID, title: scenarios.StepName(lang, step.Kind) + " · " + kit.IsolateText(step.Label),
			text: t.out.String(), source: string(source),
		})
	}
	return parts, err
}

// textWriter writes a script as lines.
type textWriter struct {
	lang locale.Language
	out  strings.Builder
}

func (t *textWriter) addLine(format string, args ...any) {
	t.out.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// addHead writes what belongs to no step.
func (t *textWriter) addHead(
	s scenario.Scenario, identify []scenarios.ScriptLine, questions []scenarios.ScriptQuestion,
) {
	t.addLine("%s: %s", scenarios.Name.In(t.lang), kit.IsolateText(s.Name))
	for line := range strings.Lines(strings.TrimSpace(s.Description)) {
		t.addLine("%s", strings.TrimSpace(line))
	}
	for _, v := range s.Variables {
		t.addLine("%s: %s (%s) %s", scenarios.Variables.In(t.lang),
			kit.IsolateText(scenarios.LabelText(t.lang, v.Label, v.Name)), kit.IsolateText(v.Name),
			strings.Join(booking.ChoiceNames(t.lang, v), " · "))
	}
	t.addSpoken(scenarios.Identify.In(t.lang), identify)
	for _, line := range s.Voicemail {
		t.addLine("%s: %s", scenarios.EditorVoicemail.In(t.lang), kit.IsolateText(line.Text))
	}
	for _, q := range questions {
		t.addSpoken(kit.IsolateText(q.Phrases), q.Say)
	}
	for _, fact := range conductFacts(s, t.lang) {
		t.addLine("%s: %s", fact.Label, fact.Value)
	}
	for _, test := range s.Tests {
		t.addLine("%s: %s", scenarios.Test.In(t.lang), kit.IsolateText(test.Name))
	}
}

func (t *textWriter) addStep(step scenarios.ScriptStep) {
	t.addLine("%s: %s (%s)", scenarios.StepName(t.lang, step.Kind), kit.IsolateText(step.Label), kit.IsolateText(step.ID))
	t.addSpoken(scenarios.LinesTitle(t.lang, "say"), step.LinesOf("say")) // first, as on the page
	if step.Prompt != "" {
		t.addLine("%s: %s", scenarios.Model.In(t.lang), kit.IsolateText(step.Prompt))
	}
	if step.To != "" {
		t.addLine("%s: %s", scenarios.To.In(t.lang), kit.IsolateText(step.To))
	}
	if step.Slot != nil {
		t.addSlot(*step.Slot)
	}
	for _, slot := range step.Finds {
		t.addSlot(slot)
	}
	for _, lines := range step.LineLists {
		if lines.Field != "say" {
			t.addSpoken(scenarios.LinesTitle(t.lang, lines.Field), lines.Lines)
		}
	}
	if len(step.Notes) > 0 {
		t.addLine("%s", strings.Join(step.Notes, " · "))
	}
	for _, way := range step.Ways {
		t.addLine("→ %s", t.wayText(way))
	}
}

func (t *textWriter) addSpoken(label string, lines []scenarios.ScriptLine) {
	for _, line := range lines {
		note := ""
		if line.Optional {
			note = "(" + scenarios.Optional.In(t.lang) + ")"
		}
		t.addLine("%s: %s %s", label, kit.IsolateText(line.Text), note)
	}
}

func (t *textWriter) addSlot(slot scenarios.ScriptSlot) {
	t.addLine("%s %s (%s: %s) %s", scenarios.Asks.In(t.lang), kit.IsolateText(slot.Label),
		kit.IsolateText(slot.Name), scenarios.SlotName(t.lang, slot.Kind),
		strings.Join(slot.Notes, " · "))
	for _, choice := range slot.Choices {
		t.addLine("- %s (%s): %s %s", choice.Label, choice.Value, strings.Join(choice.Phrases, "، "), choice.Key)
	}
	t.addPhrases(scenarios.Yes.In(t.lang), slot.Yes)
	t.addPhrases(scenarios.No.In(t.lang), slot.No)
	t.addPhrases(scenarios.Also.In(t.lang), slot.Also)
}

func (t *textWriter) addPhrases(label string, phrases []string) {
	if len(phrases) > 0 {
		t.addLine("%s: %s", label, strings.Join(phrases, "، "))
	}
}

func (t *textWriter) wayText(way scenarios.ScriptWay) string {
	target := scenarios.EndsThere.In(t.lang)
	if way.Target != "" {
		target = scenarios.Goes.In(t.lang) + " " + way.TargetLabel
	}
	switch {
	case way.Slot == "" && way.Label == "":
		return target
	case way.Slot == "":
		return way.Label + ": " + target
	case way.Known == nil:
		return fmt.Sprintf("%s %s %s %s: %s", scenarios.When.In(t.lang), way.Slot, scenarios.Is.In(t.lang), way.Value, target)
	case *way.Known:
		return fmt.Sprintf("%s %s %s: %s", scenarios.When.In(t.lang), way.Slot, scenarios.IsSet.In(t.lang), target)
	}
	return fmt.Sprintf("%s %s %s: %s", scenarios.When.In(t.lang), way.Slot, scenarios.IsUnset.In(t.lang), target)
}

package console_test

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"munadi/store/account"
	"munadi/store/scenario"
)

// everyStep is a scenario with a step of each type, in which every list of the editor has an entry.
func everyStep() scenario.Scenario {
	lines := scenario.SpokenLines{{Text: "مرحبا"}}
	answer := func(name string, kind scenario.SlotType) *scenario.AnswerSlot {
		return &scenario.AnswerSlot{Name: name, Type: kind}
	}
	size := answer("size", scenario.Choice)
	size.Choices = []scenario.ChoiceOption{{Value: "small", Phrases: []string{"صغير"}}}
	steps := []scenario.FlowStep{
		{ID: "hello", Type: scenario.Say, Say: lines},
		{ID: "size", Type: scenario.Ask, Say: lines, Slot: size, Reask: lines, NoInput: lines},
		{ID: "sure", Type: scenario.Ask, Say: lines, Slot: answer("sure", scenario.YesNo), Change: lines},
		{ID: "many", Type: scenario.Ask, Say: lines, Slot: answer("many", scenario.Number), Confirm: true, Also: []string{"size"}},
		{ID: "split", Type: scenario.Branch, Cases: []scenario.BranchCase{{Slot: "many", Equals: "2", Next: "bye"}}},
		{ID: "hand", Type: scenario.Transfer, Say: lines, To: "+966512345601"},
		{ID: "talk", Type: scenario.LLMStep, Say: lines, Prompt: "كن لطيفًا", Slots: []scenario.AnswerSlot{*answer("wish", scenario.Text)}},
		{ID: "bye", Type: scenario.End, Say: lines},
	}
	return scenario.Scenario{
		ID: "every", OrgID: "acme", Name: "Every", Language: "ar", Steps: steps, Identify: lines, Voicemail: lines,
		Questions: []scenario.SideQuestion{{Phrases: []string{"وين مكانكم"}, Say: lines}},
		Variables: []scenario.ScenarioVariable{{Name: "when", Type: scenario.ChoiceVariable, Choices: []string{"a"}}},
	}
}

// rowOf matches the name of an input in a row that is only kept if its key is filled in.
var rowOf = regexp.MustCompile(`^(.*\b(variables|cases|choices|tests)\.\d+)\.`)

// TestEveryInputOfTheEditorIsRead changes each input of the editor alone, and checks that the draft changes with it.
func TestEveryInputOfTheEditorIsRead(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	b.mustSucceed(b.store.CreateScenario(t.Context(), everyStep(), "test", b.now))
	shown := b.getPage(account.Operator, "/scenarios/every/edit").wantStatus(200).formValues("/console/scenarios/every")
	draft := func(given url.Values) string {
		given.Set("op", "check")
		return b.postForm(account.Operator, "/scenarios/every/draft", given).wantStatus(200).
			formValues("/console/scenarios/every").Get("json")
	}
	tried := 0
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		if slices.Contains([]string{"csrf", "json", "form", "version", "op"}, name) || strings.HasPrefix(name, "try.") {
			continue
		}
		before := maps.Clone(shown)
		if row := rowOf.FindStringSubmatch(name); row != nil {
			key := row[1] + map[string]string{"variables": ".name", "cases": ".slot", "choices": ".value", "tests": ".name"}[row[2]]
			if before.Get(key) == "" {
				before.Set(key, "many")
			}
		}
		after := maps.Clone(before)
		after[name] = otherValues(name, before[name])
		tried++
		if draft(before) == draft(after) {
			t.Errorf("no one reads %s: %q for %q changed nothing", name, after[name], before[name])
		}
	}
	if tried < 90 {
		t.Errorf("only %d inputs were tried", tried)
	}
}

// stepType matches the name of a step's type.
var stepType = regexp.MustCompile(`^steps\.\d+\.type$`)

// otherValues returns what an input may be submitted with instead.
func otherValues(name string, values []string) []string {
	switch {
	case slices.Contains(values, "0") && slices.Contains(values, "1"):
		return []string{"0"}
	case slices.Equal(values, []string{"0"}):
		return []string{"0", "1"}
	case name == "steps.2.also": // a question that asks for "sure" itself
		return []string{"", "size"}
	case strings.HasSuffix(name, ".also"):
		return []string{"", "sure"}
	case stepType.MatchString(name): // a list of the types
		return []string{map[bool]string{true: "ask", false: "say"}[values[0] == "say"]}
	case strings.HasSuffix(name, ".test"):
		return []string{"set"}
	}
	return []string{"7"}
}

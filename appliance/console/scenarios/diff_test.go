package scenarios

import (
	"slices"
	"strings"
	"testing"

	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// rebuildTexts returns the two texts of a difference without skipped lines.
func rebuildTexts(lines []scenarios.DiffLine) (before, after string) {
	for _, l := range lines {
		if l.Change != scenarios.AddedLine {
			before += l.Text + "\n"
		}
		if l.Change != scenarios.RemovedLine {
			after += l.Text + "\n"
		}
	}
	return before, after
}

func TestDiffLines(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"a\nb\nc", "a\nx\nc"},
		{"", "a\nb"},
		{"a\nb", ""},
		{"سلام\nb\n", "سلام\nb\nج\n"},
		{"a\nb\na\nb", "b\na\nb\na"},
	} {
		before, after := rebuildTexts(diffLines(c[0], c[1]))
		if before != endLine(c[0]) || after != endLine(c[1]) {
			t.Errorf("%q: %q and %q", c, before, after)
		}
	}
	if same := diffLines("a\nb", "a\nb\n"); same != nil {
		t.Errorf("equal texts differ: %+v", same)
	}
	far := strings.Repeat("x\n", 50)
	lines := diffLines("a\n"+far+"b\n", "A\n"+far+"B\n")
	if len(lines) != 2+contextLines+1+contextLines+2 || lines[2+contextLines].Skipped != 50-2*contextLines {
		t.Errorf("%+v", lines)
	}
}

// TestScenarioDifference checks what is said of each part of two scenarios: added, removed, moved, changed with the
// words that changed, and changed where no line shows it.
func TestScenarioDifference(t *testing.T) {
	t.Parallel()
	say := func(id, text string) scenario.FlowStep {
		return scenario.FlowStep{ID: id, Type: scenario.Say, Label: scenario.Label{English: id}, Say: scenario.SpokenLines{{Text: text}}}
	}
	one := scenario.Scenario{ID: "visit", Name: "Visit", Steps: []scenario.FlowStep{
		say("hello", "نتصل بك بخصوص موعدك غدًا"), say("gone", "أهلًا"), say("moved", "شكرًا"), say("same", "انتظر"), say("patient", "قل لي"),
		say("last", "مع السلامة"),
	}}
	two := one
	two.Steps = []scenario.FlowStep{
		say("hello", "نتصل بك بخصوص موعدك اليوم"), say("same", "انتظر"), say("patient", "قل لي"), say("last", "مع السلامة"), say("moved", "شكرًا"),
		say("new", "جديد"),
	}
	two.Steps[2].Patience = new(2.0)
	got, err := diffScenarios(one, two, locale.English)
	if err != nil || len(got.Source) == 0 {
		t.Fatal(got, err)
	}
	want := []scenarios.PartChange{
		{Title: "hello", Unseen: true},
		{Title: "gone", Change: scenarios.RemovedLine},
		{Title: "patient", Unseen: true},
		{Title: "moved", Moved: true},
		{Title: "new", Change: scenarios.AddedLine},
	}
	if len(got.Parts) != len(want) {
		t.Fatalf("%+v", got.Parts)
	}
	for i, part := range got.Parts {
		if !strings.Contains(part.Title, want[i].Title) || part.Change != want[i].Change || part.Moved != want[i].Moved ||
			part.Unseen != want[i].Unseen {
			t.Errorf("part %d: %+v", i, part)
		}
		for _, line := range part.Lines {
			if line.Change != scenarios.KeptLine && strings.TrimSpace(line.Text) == "" {
				t.Errorf("an empty line is %s", line.Change)
			}
		}
	}
	if lines := got.Parts[0].Lines; len(lines) < 2 || !slices.Contains(lines[0].Words, scenarios.WordRun{Text: "غدًا", Changed: true}) ||
		!slices.Contains(lines[1].Words, scenarios.WordRun{Text: "اليوم", Changed: true}) {
		t.Errorf("changed words: %+v", lines)
	}
	if len(got.Parts[2].Lines) > 0 {
		t.Errorf("what no line shows: %+v", got.Parts[2])
	}
	if first, err := diffScenarios(scenario.Scenario{}, one, locale.Arabic); err != nil || len(first.Parts) != 1+len(one.Steps) {
		t.Errorf("a first version: %+v, %v", first.Parts, err)
	}
	english := scenario.Scenario{ID: "visit", Name: "Visit (new).", Steps: []scenario.FlowStep{say("hello", "Good morning.")}}
	if first, err := diffScenarios(scenario.Scenario{}, english, locale.Arabic); err != nil ||
		!hasLine(first.Parts, "\u2068Visit (new).\u2069") || !hasLine(first.Parts, "\u2068Good morning.\u2069") {
		t.Errorf("English in Arabic has no direction of its own: %+v, %v", first.Parts, err)
	}
	if same, err := diffScenarios(one, one, locale.Arabic); err != nil || len(same.Parts)+len(same.Source) > 0 {
		t.Errorf("the same: %+v, %v", same, err)
	}
}

// hasLine reports whether a line of the parts contains a text.
func hasLine(parts []scenarios.PartChange, text string) bool {
	return slices.ContainsFunc(parts, func(p scenarios.PartChange) bool {
		return slices.ContainsFunc(p.Lines, func(l scenarios.DiffLine) bool { return strings.Contains(l.Text, text) })
	})
}

package scenarios

import (
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

// TestNoEmptyChange checks that the difference of two scripts marks no empty line as added or removed, also for a first
// version and for a scenario without a description.
func TestNoEmptyChange(t *testing.T) {
	t.Parallel()
	step := func(id string) scenario.FlowStep { return scenario.FlowStep{ID: id, Type: scenario.Say} }
	one := scenario.Scenario{Name: "Visit", Steps: []scenario.FlowStep{step("hello"), step("bye")}}
	two := one
	two.Steps = []scenario.FlowStep{step("hello"), step("offer"), step("bye")}
	first, second := scriptText(one, locale.Arabic), scriptText(two, locale.Arabic)
	for _, texts := range [][2]string{{"", first}, {first, second}, {second, first}} {
		changed := 0
		for _, line := range diffScripts(texts[0], texts[1]) {
			if line.Change == scenarios.KeptLine {
				continue
			}
			changed++
			if strings.TrimSpace(line.Text) == "" {
				t.Errorf("an empty line is %s", line.Change)
			}
		}
		if changed == 0 {
			t.Error("no difference")
		}
	}
}

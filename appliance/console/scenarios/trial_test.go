package scenarios

import (
	"strings"
	"testing"

	assets "munadi/assets/scenarios"
	"munadi/store/scenario"
	"munadi/ui/locale"
)

// TestDescribeVariable checks that a variable that is described in both languages is explained in the reader's.
func TestDescribeVariable(t *testing.T) {
	t.Parallel()
	all, err := scenario.BuiltIn(assets.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	both := 0
	for _, plan := range all {
		for _, one := range plan.Variables {
			arabic, english, found := strings.Cut(one.Description, "\n")
			if !found {
				continue
			}
			both++
			if got := describeVariable(locale.Arabic, one).About; got != arabic {
				t.Errorf("%s in Arabic: %q", one.Name, got)
			}
			if got := describeVariable(locale.English, one).About; got != english {
				t.Errorf("%s in English: %q", one.Name, got)
			}
		}
	}
	if both == 0 {
		t.Error("no built-in variable is described in both languages")
	}
}

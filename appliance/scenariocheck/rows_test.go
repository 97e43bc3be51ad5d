package scenariocheck_test

import (
	"strings"
	"testing"

	"munadi/store/callrules"
)

// TestRowsOfACampaign checks that an unspeakable line with a row's own value is a fault of that row, and one without
// values a fault of the scenario.
func TestRowsOfACampaign(t *testing.T) {
	t.Parallel()
	s := readPlan(t, "one", `"variables":[{"name":"who"}],"steps":[{"id":"a","type":"say","say":["مرحبا","يا {{who}}"]}]`)
	rows := []map[string]any{{"who": "سارة"}, {"who": "سندباد"}, {"who": "سارة"}, {"who": "سندباد"}}
	all, each, err := newChecker(t, voicesWithout{unknown: "سندباد"}, callrules.CallRules{}).CheckRows(t.Context(), s, rows)
	if err != nil || len(all) > 0 || len(each) != 4 || len(each[0])+len(each[2]) > 0 ||
		faultyFields(each[1]) != "variables" || faultyFields(each[3]) != "variables" || !strings.Contains(each[1][0].Message, "سندباد") {
		t.Errorf("%v, %v, %v", all, each, err)
	}
	all, each, err = newChecker(t, voicesWithout{unknown: "مرحبا"}, callrules.CallRules{}).CheckRows(t.Context(), s, rows)
	if err != nil || faultyFields(all) != "scenario_id" || len(each) > 0 {
		t.Errorf("%v, %v, %v", all, each, err)
	}
}

package call_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"munadi/store/call"
)

// TestOutcomesAreDocumented checks that docs/outcomes.md has every status, reason and follow-up reason, with its cause
// and cure, and says of each reason whether it is retried.
func TestOutcomesAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/outcomes.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|(.*)\\|$").FindAllStringSubmatch(string(text), -1) {
		rows[row[1]] = strings.Split(row[2], " | ")
	}
	for _, status := range call.AllStatuses() {
		if len(rows[string(status)]) != 2 {
			t.Errorf("no row says what %s means", status)
		}
	}
	for _, reason := range call.AllReasons() {
		row := rows[string(reason)]
		retried := map[bool]string{true: "yes", false: "no"}[reason.IsRetryable()]
		if len(row) != 4 || !regexp.MustCompile("^`\\w+`$").MatchString(strings.TrimSpace(row[0])) ||
			strings.TrimSpace(row[3]) != retried {
			t.Errorf("%s needs status, cause, cure and %q in its row, which has %q", reason, retried, row)
		}
	}
	for _, need := range []call.NeedReason{
		call.NeedAsked, call.NeedNotUnderstood, call.NeedTransfer, call.NeedScenario, call.NeedStaff,
	} {
		if rows[string(need)] == nil {
			t.Errorf("no row says when a call is marked as %s", need)
		}
	}
}

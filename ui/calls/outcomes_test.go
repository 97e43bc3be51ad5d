package calls_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"munadi/store/call"
	"munadi/ui/calls"
	"munadi/ui/locale"
)

// TestArabicOutcomes checks that docs/ar/outcomes.md has every status and reason as the console calls it, and says of
// each reason whether it is retried.
func TestArabicOutcomes(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/ar/outcomes.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \|(.*)\|$`).FindAllStringSubmatch(string(page), -1) {
		rows[row[1]] = strings.TrimSpace(row[2])
	}
	for _, status := range call.AllStatuses() {
		if name := locale.CallStatuses.Word(locale.Arabic, string(status)); rows[name] == "" {
			t.Errorf("no row says what %s (%s) means", name, status)
		}
	}
	for _, reason := range call.AllReasons() {
		name := calls.Reasons.Word(locale.Arabic, string(reason))
		retried := map[bool]string{true: "| نعم", false: "| لا"}[reason.IsRetryable()]
		if row := rows[name]; strings.Count(row, " | ") != 2 || !strings.HasSuffix(row, retried) {
			t.Errorf("%s (%s) needs cause, cure and %q in its row, which is %q", name, reason, retried, row)
		}
	}
}

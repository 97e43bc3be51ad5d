package conversation_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestErrorsAreDocumented checks that docs/outcomes.md has a row for every error of a conversation, and none else.
func TestErrorsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/outcomes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n## Errors of a conversation\n")
	table, _, _ = strings.Cut(table, "\n## ")
	documented := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| .+ \\| .+ \\|$").FindAllStringSubmatch(table, -1) {
		documented[row[1]] = true
	}
	added := regexp.MustCompile(`(?:addError\(\s*|foundBy\{|Code:\s*|const (?:code|ClosedHours) = )"(\w+)"`)
	raised := map[string]bool{}
	for _, folder := range []string{".", "../dialer", "../../store/call"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range added.FindAllStringSubmatch(string(source), -1) {
				raised[found[1]] = raised[found[1]] || !strings.HasSuffix(name, "_test.go")
			}
		}
	}
	for code, production := range raised {
		if production && !documented[code] {
			t.Errorf("no row explains %s", code)
		}
	}
	for code := range documented {
		if !raised[code] {
			t.Errorf("%s is explained and never added", code)
		}
	}
}

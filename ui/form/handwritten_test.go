package form_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "lower the numbers of testdata/handwritten.txt")

// handwritten lists how many inputs and tables templates still write by hand.
const handwritten = "testdata/handwritten.txt"

// declaredElsewhere are the templates that may write inputs and tables: this package and the list, the token of every
// form, the search of lists, and the sign-in, which is served before any script or session.
var declaredElsewhere = regexp.MustCompile(
	`^(form/.*|list/.*|component/(when|list)\.templ|accounts/signin\.templ)$`)

// writtenByHand are the counted elements: buttons and boxes that a form submits, and tables.
var writtenByHand = map[string]*regexp.Regexp{
	"inputs": regexp.MustCompile(`<(input|select|textarea)\b`), "tables": regexp.MustCompile(`<table\b`),
}

// TestNoHandwrittenFields: a form's inputs come from [form.Declared] and a table from list.Table. What templates still
// write by hand is listed, with its number, and can only become less.
func TestNoHandwrittenFields(t *testing.T) {
	t.Parallel()
	allowed := readHandwritten(t)
	var lines []string
	for _, name := range listTemplates(t) {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range []string{"inputs", "tables"} {
			key := name + " " + what
			n := len(writtenByHand[what].FindAllIndex(text, -1))
			switch {
			case n > allowed[key] && what == "inputs":
				t.Errorf("ui/%s writes %d inputs by hand, %d more than before: declare them as form.Declared", name, n, n-allowed[key])
			case n > allowed[key]:
				t.Errorf("ui/%s writes %d tables by hand, %d more than before: declare them as list.Table", name, n, n-allowed[key])
			case n < allowed[key] && !*update:
				t.Errorf("ui/%s writes only %d %s by hand: lower %s (go test ./ui/form -update)", name, n, what, handwritten)
			}
			if n = min(n, allowed[key]); n > 0 {
				lines = append(lines, fmt.Sprintf("%s %d\n", key, n))
			}
			delete(allowed, key)
		}
	}
	for key := range allowed {
		if !*update {
			t.Errorf("there is no template of %q any more: remove it from %s (go test ./ui/form -update)", key, handwritten)
		}
	}
	if *update {
		if err := os.WriteFile(handwritten, []byte(strings.Join(lines, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// listTemplates returns the templates of ui that must not write inputs or tables, by path below ui.
func listTemplates(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		if err == nil && strings.HasSuffix(name, ".templ") && !declaredElsewhere.MatchString(name) {
			names = append(names, name)
		}
		return err
	})
	if err != nil || len(names) < 20 {
		t.Fatal(err, names)
	}
	return names
}

// readHandwritten returns the listed numbers by template and element.
func readHandwritten(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile(handwritten)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var name, what string
		var n int
		if _, err := fmt.Sscan(line, &name, &what, &n); err != nil {
			t.Fatal(line, err)
		}
		all[name+" "+what] = n
	}
	return all
}

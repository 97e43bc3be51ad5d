// Package asvs_test keeps packaging/SECURITY.md honest: each requirement of OWASP's Application Security Verification
// Standard 5.0.0 at level 1 or 2 is in it once, and what any line or sentence refers to exists.
package asvs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const project = "../.."

// wanted are the 253 requirements of levels 1 and 2, by section: those of level 3 alone are not among them.
const wanted = `
	1.1:1-2 1.2:1-9 1.3:1-11 1.4:1-3 1.5:1-2
	2.1:1-3 2.2:1-3 2.3:1-4 2.4:1
	3.2:1-2 3.3:1-4 3.4:1-6 3.5:1-5 3.7:1-2
	4.1:1-3 4.2:1 4.3:1-2 4.4:1-4
	5.1:1 5.2:1-3 5.3:1-2 5.4:1-3
	6.1:1-3 6.2:1-12 6.3:1-4 6.4:1-4 6.5:1-5 6.6:1-3 6.8:1-4
	7.1:1-3 7.2:1-4 7.3:1-2 7.4:1-5 7.5:1-2 7.6:1-2
	8.1:1-2 8.2:1-3 8.3:1 8.4:1
	9.1:1-3 9.2:1-4
	10.1:1-2 10.2:1-2 10.3:1-4 10.4:1-11 10.5:1-5 10.6:1-2 10.7:1-3
	11.1:1-2 11.2:1-3 11.3:1-3 11.4:1-4 11.5:1 11.6:1
	12.1:1-3 12.2:1-2 12.3:1-4
	13.1:1 13.2:1-5 13.3:1-2 13.4:1-5
	14.1:1-2 14.2:1-4 14.3:1-3
	15.1:1-3 15.2:1-3 15.3:1-7
	16.1:1 16.2:1-5 16.3:1-4 16.4:1-3 16.5:1-3
	17.1:1 17.2:1-4 17.3:1-2`

// checklistRow is a row of the checklist.
type checklistRow struct{ id, mark, how, where string }

var (
	row     = regexp.MustCompile(`(?m)^\| (\d+\.\d+\.\d+) \| (\S+) \| (.*) \| (.*) \|$`)
	pointer = regexp.MustCompile("`([^`]+)`")
)

func TestEachRequirementStandsThereOnce(t *testing.T) {
	t.Parallel()
	want := requirementIDs(t)
	if len(want) != 253 {
		t.Fatalf("levels 1 and 2 have 253 requirements, not %d", len(want))
	}
	var got []string
	for _, l := range readChecklist(t) {
		got = append(got, l.id)
	}
	if !slices.Equal(got, want) {
		for _, id := range append(want, got...) {
			if slices.Index(got, id) < 0 || slices.Index(want, id) < 0 || countRows(got, id) > 1 {
				t.Errorf("%s is listed %d times", id, countRows(got, id))
			}
		}
		t.Error("the checklist is not the standard's, in its order")
	}
}

func TestEachLineSaysEnough(t *testing.T) {
	t.Parallel()
	sources := sourceTree{}
	for _, l := range readChecklist(t) {
		places := pointer.FindAllStringSubmatch(l.where, -1)
		switch {
		case !slices.Contains([]string{"✓", "–", "✗"}, l.mark):
			t.Errorf("%s is marked %q", l.id, l.mark)
		case l.mark != "–" && len(places) == 0:
			t.Errorf("%s points at nothing", l.id)
		case l.how == "", l.mark == "✗" && len(l.how) < 30:
			t.Errorf("%s does not say why: %q", l.id, l.how)
		}
		for _, p := range places {
			if err := sources.checkPointer(p[1]); err != nil {
				t.Errorf("%s: %v", l.id, err)
			}
		}
	}
}

// TestTextPointsAtWhatIsThere: the pointers folder#Name of the whole text, not of the checklist alone.
func TestTextPointsAtWhatIsThere(t *testing.T) {
	t.Parallel()
	sources, found := sourceTree{}, 0
	for _, p := range pointer.FindAllStringSubmatch(securityText(t), -1) {
		if !strings.Contains(p[1], "#") || p[1] == "folder#Name" {
			continue
		}
		found++
		if err := sources.checkPointer(p[1]); err != nil {
			t.Error(err)
		}
	}
	if found < 100 {
		t.Errorf("%d pointers", found)
	}
}

// TestPointersCanBeWrong: what is not there is found out.
func TestPointersCanBeWrong(t *testing.T) {
	t.Parallel()
	for _, p := range []string{"appliance/nowhere.go", "appliance/auth#TestThatThereIsNone", "appliance/nowhere#Test"} {
		if (sourceTree{}).checkPointer(p) == nil {
			t.Errorf("%s is there", p)
		}
	}
}

// sourceTree is the Go source of folders that were asked for, joined.
type sourceTree map[string]string

// checkPointer says what is wrong with a pointer: a file, or folder#Name for a declaration in one of the folder's Go
// files.
func (t sourceTree) checkPointer(p string) error {
	folder, name, declared := strings.Cut(p, "#")
	if !declared {
		_, err := os.Stat(filepath.Join(project, p))
		return err
	}
	source, err := t.folderSource(folder)
	if err != nil {
		return err
	}
	for _, kind := range []string{"func ", "type ", "var ", "const "} {
		for _, end := range []string{"(", " ", "["} {
			if strings.Contains(source, "\n"+kind+name+end) {
				return nil
			}
		}
	}
	return fmt.Errorf("there is no %s in %s", name, folder)
}

func (t sourceTree) folderSource(folder string) (string, error) {
	if source, known := t[folder]; known {
		return source, nil
	}
	files, err := filepath.Glob(filepath.Join(project, folder, "*.go"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		t[folder] += "\n" + string(source)
	}
	return t[folder], nil
}

// readChecklist returns the rows of the checklist, in their order.
func readChecklist(t *testing.T) []checklistRow {
	t.Helper()
	var all []checklistRow
	for _, m := range row.FindAllStringSubmatch(securityText(t), -1) {
		all = append(all, checklistRow{m[1], m[2], m[3], m[4]})
	}
	return all
}

// securityText is SECURITY.md.
func securityText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(project + "/packaging/SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// requirementIDs returns the ids that wanted means.
func requirementIDs(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, section := range strings.Fields(wanted) {
		name, numbers, _ := strings.Cut(section, ":")
		first, last, many := strings.Cut(numbers, "-")
		if !many {
			last = first
		}
		from, err := strconv.Atoi(first)
		if err != nil {
			t.Fatal(err)
		}
		to, err := strconv.Atoi(last)
		if err != nil {
			t.Fatal(err)
		}
		for n := from; n <= to; n++ {
			all = append(all, fmt.Sprintf("%s.%d", name, n))
		}
	}
	return all
}

func countRows(all []string, one string) (n int) {
	for _, s := range all {
		if s == one {
			n++
		}
	}
	return n
}

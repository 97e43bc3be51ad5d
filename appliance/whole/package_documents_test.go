package whole_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// relativeLink finds links and pictures of Markdown and HTML; the first or second group is the target.
var relativeLink = regexp.MustCompile(`\]\(([^)\s]+)\)|src="([^"]+)"`)

// TestPackagedDocuments checks that packages contain every page and example of the source, each with its line for nfpm,
// and that every link between their pages leads to a file of the package.
func TestPackagedDocuments(t *testing.T) {
	t.Parallel()
	folder, documents := t.TempDir(), projectPath(t, "packaging/documents")
	commandOutput(t, exec.Command(documents, folder))
	lines := commandOutput(t, exec.Command(documents, "--nfpm", folder))
	for _, want := range append(filesBelow(t, projectPath(t, "docs"), "docs/"),
		append(filesBelow(t, projectPath(t, "packaging/examples"), "examples/"), "README.md", "CHANGELOG.md", "SECURITY.md")...) {
		if !strings.Contains(lines, "dst: /usr/share/doc/munadi/"+want+",") {
			t.Errorf("%s is not in the packages", want)
		}
	}
	for _, page := range filesBelow(t, folder, "") {
		if strings.HasSuffix(page, ".md") {
			checkPageLinks(t, filepath.Join(folder, page))
		}
	}
}

// filesBelow returns the paths of all files below a folder, with prefix.
func filesBelow(t testing.TB, folder, prefix string) (paths []string) {
	t.Helper()
	mustSucceed(t, fs.WalkDir(os.DirFS(folder), ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.Contains(path, "__pycache__") && filepath.Ext(path) != ".go" {
			paths = append(paths, prefix+path)
		}
		return err
	}))
	return paths
}

// checkPageLinks checks that the targets of a page's relative links exist.
func checkPageLinks(t testing.TB, page string) {
	t.Helper()
	text, err := os.ReadFile(page)
	mustSucceed(t, err)
	for _, found := range relativeLink.FindAllStringSubmatch(string(text), -1) {
		target, _, _ := strings.Cut(found[1]+found[2], "#")
		if target == "" || strings.Contains(target, ":") {
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(page), target)); err != nil {
			t.Errorf("%s: the link to %s is broken", filepath.Base(page), target)
		}
	}
}

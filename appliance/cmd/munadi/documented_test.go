package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocumentedCommandLines checks that every command line of munadi in the documents is accepted: those of code blocks
// whole, while the text may name a command without its arguments. The Arabic pages name the commands of the English.
func TestDocumentedCommandLines(t *testing.T) {
	t.Parallel()
	whole, named := 0, 0
	english, arabic := map[string]bool{}, map[string]string{}
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md", "README*.md", "CONTRIBUTING.md", "packaging/SECURITY.md"} {
		for page, content := range readPages(t, pattern) {
			for _, one := range documentedCalls(content) {
				if one.whole {
					whole++
				} else {
					named++
				}
				if err := one.parse(t); err != nil {
					t.Errorf("%s: munadi %s: %v", page, strings.Join(one.args, " "), err)
				}
				line := one.commandAndFlags()
				if strings.Contains(page, "/ar/") || strings.HasSuffix(page, ".ar.md") {
					arabic[line] = page
				} else {
					english[line] = true
				}
			}
		}
	}
	for line, page := range arabic {
		if !english[line] {
			t.Errorf("%s: munadi %s: no English page has it", page, line)
		}
	}
	if whole < 40 || named < 60 || len(arabic) < 10 {
		t.Errorf("only %d command lines were found, and %d names of commands; %d in Arabic pages", whole, named, len(arabic))
	}
}

// commandAndFlags returns the call without its arguments, which differ from page to page.
func (c documentedCall) commandAndFlags() string {
	return strings.Join(slices.DeleteFunc(slices.Clone(c.args), func(word string) bool {
		return !regexp.MustCompile(`^(--)?[a-z][a-z-]*$`).MatchString(word)
	}), " ")
}

// readPages returns the contents of the pages that a pattern from the repository's root matches.
func readPages(t *testing.T, pattern string) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	names, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no %s: %v", pattern, err)
	}
	pages := map[string]string{}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages[strings.TrimPrefix(filepath.ToSlash(name), filepath.ToSlash(root)+"/")] = string(content)
	}
	return pages
}

// spans are settings and variables that a page names in code.
var spans = regexp.MustCompile("`([a-z][a-z0-9]*(?:-[a-z0-9]+)+|MUNADI_[A-Z_]+)(?::[^`]*)?`")

// TestSettingsOfArabicPages checks that the settings that the Arabic pages name exist.
func TestSettingsOfArabicPages(t *testing.T) {
	t.Parallel()
	settings, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "settings.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for page, content := range readPages(t, "docs/ar/*.md") {
		for _, name := range spans.FindAllStringSubmatch(content, -1) {
			if found++; name[1] == "espeak-ng" { // the program
				continue
			}
			setting := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name[1], "MUNADI_"), "_", "-"))
			if !strings.Contains(string(settings), "\n### `"+setting+"`\n") && !strings.Contains(string(settings), "`"+name[1]+"`") {
				t.Errorf("%s: there is no setting %s", page, name[1])
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d settings were found", found)
	}
}

// documentedCall is a call of munadi in a page.
type documentedCall struct {
	args  []string
	whole bool // it stands in a code block
}

// parse parses the call as the program would, and does not run it.
func (c documentedCall) parse(t *testing.T) error {
	args := slices.DeleteFunc(normalizeArgs(slices.Clone(c.args)), func(arg string) bool {
		return arg == "…" || arg == "--help" // which ends the program at once
	})
	if len(args) == 0 || slices.Contains(c.args, "--help") && len(args) == 1 {
		return nil
	}
	_, err := parseArgs(t.Context(), args)
	if err != nil && !c.whole && regexp.MustCompile(`^expected |^missing flags: `).MatchString(err.Error()) {
		return nil
	}
	return err
}

var (
	codeBlocks   = regexp.MustCompile("(?s)```(?:sh|bash)\n(.*?)```")
	inlineCode   = regexp.MustCompile("`(munadi [^`]+)`")
	shellComment = regexp.MustCompile(`(?m)(^|\s)#.*$`)
	// commandCall is munadi as the word of a command, perhaps by sudo -u munadi, and what follows up to the command's end.
	commandCall = regexp.MustCompile(`(?m)(?:^|[ (/])munadi((?: (?:"[^"]*"|'[^']*'|[^\s|&;<>#()"'])+)+)`)
	shellWord   = regexp.MustCompile(`(?:"[^"]*"|'[^']*'|[^\s"'])+`)
)

// documentedCalls returns the calls of munadi in a page.
func documentedCalls(page string) (calls []documentedCall) {
	collect := func(text string, whole bool) {
		for _, call := range commandCall.FindAllStringSubmatch(text, -1) {
			words := shellWord.FindAllString(call[1], -1)
			if words[0] == "munadi" { // after the user's name
				words = words[1:]
			}
			for i := range words {
				words[i] = strings.NewReplacer(`"`, "", "'", "").Replace(words[i])
			}
			if len(words) > 0 && regexp.MustCompile(`^(--)?[a-z]`).MatchString(words[0]) { // else a folder's name
				calls = append(calls, documentedCall{words, whole})
			}
		}
	}
	for _, block := range codeBlocks.FindAllStringSubmatch(page, -1) {
		collect(shellComment.ReplaceAllString(strings.ReplaceAll(block[1], "\\\n", " "), ""), true)
	}
	for _, one := range inlineCode.FindAllStringSubmatch(codeBlocks.ReplaceAllString(page, ""), -1) {
		collect(one[1], false)
	}
	return calls
}

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
// whole, while the text may name a command without its arguments.
func TestDocumentedCommandLines(t *testing.T) {
	t.Parallel()
	whole, named := 0, 0
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md", "README*.md", "CONTRIBUTING.md", "packaging/SECURITY.md"} {
		pages, err := filepath.Glob(filepath.Join("..", "..", "..", pattern))
		if err != nil || len(pages) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		for _, page := range pages {
			content, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range documentedCalls(string(content)) {
				if one.whole {
					whole++
				} else {
					named++
				}
				if err := one.parse(t); err != nil {
					t.Errorf("%s: munadi %s: %v", filepath.Base(page), strings.Join(one.args, " "), err)
				}
			}
		}
	}
	if whole < 40 || named < 60 {
		t.Errorf("only %d command lines were found, and %d names of commands", whole, named)
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

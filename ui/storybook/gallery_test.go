package storybook

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"munadi/ui/form"
	"munadi/ui/locale"
)

var update = flag.Bool("update", false, "rewrite testdata with what is rendered now")

// framed is the page whose golden file holds the console's frame; those of the others hold their <main> alone.
const framed = "console-dashboard"

// TestGalleryIsAsItWas compares each exhibit with its golden file: the outline of its HTML, or for a further state of a
// page (page-keys-empty of page-keys) the lines in which the two differ.
func TestGalleryIsAsItWas(t *testing.T) {
	t.Parallel()
	for _, l := range locale.AllLanguages() {
		outlines := map[string]string{}
		for _, e := range AllExhibits(l) {
			outlines[e.Name] = outlineOf(t, e)
		}
		for name, got := range outlines {
			t.Run(string(l)+"/"+name, func(t *testing.T) {
				t.Parallel()
				golden := filepath.Join("testdata", string(l), name+".txt")
				if base := baseOf(name, outlines); base != "" {
					if differs := udiff.Unified(base, name, outlines[base], got); len(differs) < len(got) {
						golden, got = filepath.Join("testdata", string(l), name+".diff"), differs
					}
				}
				if *update {
					writeGolden(t, golden, got)
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
					t.Errorf("%s differs (-golden +now); go test ./ui/storybook -update rewrites it\n%s", name, diff)
				}
			})
		}
	}
}

// outlineOf renders an exhibit and returns the outline of its HTML.
func outlineOf(t *testing.T, e Exhibit) string {
	t.Helper()
	var got bytes.Buffer
	if err := e.Show.Render(t.Context(), &got); err != nil {
		t.Fatal(err)
	}
	shown := got.String()
	if from := strings.Index(shown, "<main"); from >= 0 && e.Name != framed {
		shown = shown[from : strings.LastIndex(shown, "</main>")+len("</main>")]
	}
	return strings.Join(htmlOutline(t, shown), "\n") + "\n"
}

// baseOf returns the exhibit of which another is a further state: page-keys of page-keys-empty; empty for none.
func baseOf(name string, all map[string]string) string {
	for cut := strings.LastIndex(name, "-"); cut > 0; cut = strings.LastIndex(name[:cut], "-") {
		if _, is := all[name[:cut]]; is {
			return name[:cut]
		}
	}
	return ""
}

// TestIDsAreUnique checks that no page has an id twice: a script would find the other element.
func TestIDsAreUnique(t *testing.T) {
	t.Parallel()
	ids := regexp.MustCompile(`<[^>]* id="([^"]+)"`)
	for _, e := range AllExhibits(locale.Arabic) {
		var got bytes.Buffer
		if err := e.Show.Render(t.Context(), &got); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, m := range ids.FindAllStringSubmatch(got.String(), -1) {
			if seen[m[1]] {
				t.Errorf("%s has the id %s twice", e.Name, m[1])
			}
			seen[m[1]] = true
		}
	}
}

func TestNothingInline(t *testing.T) {
	t.Parallel()
	inline := regexp.MustCompile(`^<style|^<.* (style|on[a-z]+)="`)
	for _, l := range locale.AllLanguages() {
		for _, e := range AllExhibits(l) {
			var got bytes.Buffer
			if err := e.Show.Render(t.Context(), &got); err != nil {
				t.Fatal(err)
			}
			for _, line := range htmlOutline(t, got.String()) {
				line = strings.TrimSpace(line)
				if inline.MatchString(line) || (strings.HasPrefix(line, "<script") && !strings.Contains(line, " src=")) {
					t.Errorf("%s: the policy forbids %s", e.Name, line)
				}
			}
		}
	}
}

// TestPasswordsAreSecret: a form that is kept for a user who has to sign in again is kept without every password that a
// page asks for.
func TestPasswordsAreSecret(t *testing.T) {
	t.Parallel()
	password := regexp.MustCompile(`<input[^>]*\btype="password"[^>]*>`)
	name := regexp.MustCompile(`\bname="([^"]*)"`)
	seen := 0
	for _, e := range AllExhibits(locale.English) {
		var got bytes.Buffer
		if err := e.Show.Render(t.Context(), &got); err != nil {
			t.Fatal(err)
		}
		for _, input := range password.FindAllString(got.String(), -1) {
			if seen++; !form.IsSecret(name.FindStringSubmatch(input)[1]) {
				t.Errorf("%s: form.IsSecret does not know %s", e.Name, input)
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d passwords were found", seen)
	}
}

func writeGolden(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// iconDrawing matches the inside of an icon: its class says which one it is.
var iconDrawing = regexp.MustCompile(`(?s)(<svg class="icon [^>]*>).*?</svg>`)

// htmlOutline returns an HTML text as one line per tag with the text that begins it, and per further text, indented by
// depth, with white space folded: what a browser makes of it. Icons are without their drawing.
func htmlOutline(t *testing.T, source string) []string {
	t.Helper()
	var out []string
	depth, begun := 0, false
	// The tokenizer takes what is inside noscript for text, as a browser with scripts does; we want to see its tags.
	source = strings.NewReplacer("<noscript>", "<x-noscript>", "</noscript>", "</x-noscript>").Replace(source)
	source = iconDrawing.ReplaceAllString(source, "$1</svg>")
	tokens := html.NewTokenizer(strings.NewReader(source))
	for {
		kind := tokens.Next()
		token := tokens.Token()
		line := strings.Join(strings.Fields(token.String()), " ")
		switch {
		case kind == html.ErrorToken:
			return out
		case kind == html.EndTagToken:
			depth--
		case kind == html.TextToken && line != "" && begun:
			out[len(out)-1] += " " + line
		case line != "":
			out = append(out, strings.Repeat(" ", max(depth, 0))+line)
		}
		if begun = kind == html.StartTagToken; begun && !isVoidElement(token.Data) {
			depth++
		}
	}
}

func isVoidElement(tag string) bool {
	return strings.Contains(" meta link input img br hr ", " "+tag+" ")
}

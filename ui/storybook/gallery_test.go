package storybook

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"munadi/ui/locale"
)

var update = flag.Bool("update", false, "rewrite testdata with what is rendered now")

func TestGalleryIsAsItWas(t *testing.T) {
	t.Parallel()
	for _, l := range locale.AllLanguages() {
		for _, e := range AllExhibits(l) {
			t.Run(string(l)+"/"+e.Name, func(t *testing.T) {
				t.Parallel()
				var got bytes.Buffer
				if err := e.Show.Render(t.Context(), &got); err != nil {
					t.Fatal(err)
				}
				golden := filepath.Join("testdata", string(l), e.Name+".html")
				if *update {
					writeGolden(t, golden, got.String())
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(htmlOutline(t, string(want)), htmlOutline(t, got.String())); diff != "" {
					t.Errorf("%s differs (-golden +now); go test ./ui/storybook -update rewrites it\n%s", e.Name, diff)
				}
			})
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

func writeGolden(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(content, "><", ">\n<")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// htmlOutline returns an HTML text as one line per tag or text, indented, with white space folded: what a browser makes of
// it.
func htmlOutline(t *testing.T, source string) []string {
	t.Helper()
	var out []string
	depth := 0
	// The tokenizer takes what is inside noscript for text, as a browser with scripts does; we want to see its tags.
	source = strings.NewReplacer("<noscript>", "<x-noscript>", "</noscript>", "</x-noscript>").Replace(source)
	tokens := html.NewTokenizer(strings.NewReader(source))
	for {
		kind := tokens.Next()
		token := tokens.Token()
		line := strings.Join(strings.Fields(token.String()), " ")
		switch kind {
		case html.ErrorToken:
			return out
		case html.EndTagToken:
			depth--
		}
		if line != "" {
			out = append(out, strings.Repeat(" ", max(depth, 0))+line)
		}
		if kind == html.StartTagToken && !isVoidElement(token.Data) {
			depth++
		}
	}
}

func isVoidElement(tag string) bool {
	return strings.Contains(" meta link input img br hr ", " "+tag+" ")
}

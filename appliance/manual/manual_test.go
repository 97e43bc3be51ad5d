package manual_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"munadi/appliance/manual"
	"munadi/docs"
)

// readDocs renders the documentation.
func readDocs(t *testing.T) *manual.Manual {
	t.Helper()
	m, err := manual.ReadManual(docs.Pages)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// readPage renders one page beside another and an Arabic one.
func readPage(t *testing.T, source string) manual.Page {
	t.Helper()
	m, err := manual.ReadManual(fstest.MapFS{
		"a.md": {Data: []byte(source)}, "b.md": {Data: []byte("# B\n\n## Part\n")}, "ar/a.md": {Data: []byte("# أ\n\n[b](../b.md)\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	page, there := m.FindPage("en", "a")
	if !there {
		t.Fatal("no page")
	}
	return page
}

// TestPagesLead checks that every page has a title, and that every link of every page leads to a heading that exists.
func TestPagesLead(t *testing.T) {
	t.Parallel()
	m := readDocs(t)
	links := 0
	for _, language := range []string{"en", "ar"} {
		for _, page := range m.ListPages(language) {
			for _, found := range regexp.MustCompile(`href="(/console/help/(\w+)/([\w-]+))?(?:#([^"]+))?"`).FindAllStringSubmatch(page.HTML, -1) {
				target := page
				if found[1] != "" {
					target, _ = m.FindPage(found[2], found[3])
				}
				links++
				if anchor := decodeAnchor(t, found[4]); target.HTML == "" || anchor != "" && !strings.Contains(target.HTML, `id="`+anchor+`"`) {
					t.Errorf("%s leads to %s, which is not there", page.Path(), found[0])
				}
			}
		}
	}
	if len(m.ListPages("en")) < 20 || len(m.ListPages("ar")) < 5 || links < 100 {
		t.Errorf("%d and %d pages, %d links", len(m.ListPages("en")), len(m.ListPages("ar")), links)
	}
}

// TestPagesAreSafe checks that markup and scripts of a source do not get into a page, and that links lead within the
// console.
func TestPagesAreSafe(t *testing.T) {
	t.Parallel()
	page := readPage(t, "# A <script>alert(1)</script>\n\n<div onclick=\"x\">in</div>\n\n<img src=x onerror=y>\n\n"+
		"[run](javascript:alert(1)) [data](data:text/html,x) [b](b.md#part) [c](../c.md) ![p](p.png) [web](https://example.com/) "+
		"[away](//example.com/x) [\"><b>](b.md)\n\n| a |\n|---|\n| <i>x</i> |\n")
	for _, bad := range []string{"<script", "onclick", "<img", "javascript:", "data:", "p.png", "c.md", `"//example`, "<i>", "<b>"} {
		if strings.Contains(page.HTML, bad) {
			t.Errorf("the page has %s:\n%s", bad, page.HTML)
		}
	}
	for _, good := range []string{`href="/console/help/en/b#part"`, `href="https://example.com/"`, "run", "away", "<table>"} {
		if !strings.Contains(page.HTML, good) {
			t.Errorf("the page lacks %s:\n%s", good, page.HTML)
		}
	}
}

// TestSearch checks spelling variants, several words, languages and excerpts.
func TestSearch(t *testing.T) {
	t.Parallel()
	m := readDocs(t)
	for _, c := range []struct{ query, language, path string }{
		{"SIP-PUBLIC-IP", "en", "/console/help/en/settings#sip-public-ip"},
		{"no_audio", "en", "/console/help/en/outcomes#failure-reasons"},
		{"rotate_secret", "en", "/console/help/en/webhooks#changing-the-secret"},
		{"النسخ الإحتياطية", "ar", "/console/help/ar/operator#النسخ-الاحتياطية"},
		{"قائمة المنع", "ar", "/console/help/ar/glossary"},
	} {
		found := m.Search(c.query, c.language)
		paths := ""
		for _, one := range found {
			paths += one.Path() + "\n"
			if one.Excerpt == "" && one.Section.Level > 1 && one.Path() == c.path {
				t.Errorf("%s: %s has no excerpt", c.query, one.Path())
			}
		}
		if !strings.Contains(paths, c.path+"\n") || found[0].Page.Language != c.language {
			t.Errorf("%s: %s", c.query, paths)
		}
	}
	for _, query := range []string{"", "  ", "!?", "zebra xylophone", strings.Repeat("a ", 1000) + "zebra"} {
		if found := m.Search(query, "en"); len(found) > 30 || len(found) > 0 && query[0] != 'a' {
			t.Errorf("%q: %d", query, len(found))
		}
	}
}

// decodeAnchor returns an anchor as it stands in an id.
func decodeAnchor(t *testing.T, escaped string) string {
	t.Helper()
	anchor, err := url.PathUnescape(escaped)
	if err != nil {
		t.Fatal(err)
	}
	return anchor
}

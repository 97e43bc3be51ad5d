// Package manual is the documentation as the console shows it: the embedded Markdown as HTML, with links between pages,
// and full-text search. It needs no network.
//
// It imports no door, no worker and no store; the Markdown library has its home here.
package manual

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// PagesRoot is the path of the console's pages of the manual, before language and name.
const PagesRoot = "/console/help"

// Languages of pages, as they stand in paths.
const (
	english = "en"
	arabic  = "ar"
)

// pageOrder is the order in which pages are listed; others follow by name.
var pageOrder = []string{
	"operator", "console", "campaigns", "going-live", "troubleshooting", "outcomes", "calls", "scenarios",
	"language-models", "webhooks", "grammar", "speech-to-text", "mcp", "install", "settings", "sip", "tls", "operations",
	"upgrading", "sizing", "several-machines", "models", "voices", "figures", "embedding", "glossary",
}

// Page is a page of the manual.
type Page struct {
	Language string // "en" or "ar"
	Name     string // campaigns
	Title    string
	HTML     string        // sanitized: no HTML of the source, no link that runs a script
	Sections []PageSection // in the order of the page; the first one is what stands before the second heading
}

// PageSection is a heading with the text below it, for the table of contents and the search.
type PageSection struct {
	Anchor, Heading string
	Level           int    // 1: the page's title
	text            string // plain
	folded          string // heading and text as they are compared
}

// Path returns the page's path in the console.
func (p Page) Path() string { return PagesRoot + "/" + p.Language + "/" + p.Name }

// Manual is every page.
type Manual struct{ pages []Page }

// ReadManual renders the pages of a folder: Markdown files, and Arabic ones in the folder ar.
func ReadManual(files fs.FS) (*Manual, error) {
	m := &Manual{}
	for _, language := range []string{english, arabic} {
		names, err := fs.Glob(files, path.Join(folderOf(language), "*.md"))
		if err != nil {
			return nil, err
		}
		for _, file := range names {
			source, err := fs.ReadFile(files, file)
			if err != nil {
				return nil, err
			}
			page := Page{Language: language, Name: strings.TrimSuffix(path.Base(file), ".md")}
			if err := page.renderMarkdown(source, files); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			m.pages = append(m.pages, page)
		}
	}
	slices.SortStableFunc(m.pages, func(a, b Page) int { return placeOf(a.Name) - placeOf(b.Name) })
	return m, nil
}

// folderOf returns the folder of a language's pages.
func folderOf(language string) string {
	if language == english {
		return "."
	}
	return language
}

func placeOf(name string) int {
	if i := slices.Index(pageOrder, name); i >= 0 {
		return i
	}
	return len(pageOrder)
}

// ListPages returns the pages of a language, in their order.
func (m *Manual) ListPages(language string) (pages []Page) {
	for _, p := range m.pages {
		if p.Language == language {
			pages = append(pages, p)
		}
	}
	return pages
}

// FindPage returns a page.
func (m *Manual) FindPage(language, name string) (Page, bool) {
	i := slices.IndexFunc(m.pages, func(p Page) bool { return p.Language == language && p.Name == name })
	if i < 0 {
		return Page{}, false
	}
	return m.pages[i], true
}

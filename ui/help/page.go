package help

import (
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// Link is a link to a page, or to a section of one.
type Link struct {
	Path, Name string
	Language   locale.Language // of the page
	Page       string          // the page's title, of a section that was found
	Excerpt    string          // text of a section that was found
}

// View is the list of pages, or what a search found.
type View struct {
	layout.ConsolePage
	component.TableList
	Groups []Group
	Found  []Link
}

// Group is the pages of a language.
type Group struct {
	Language locale.Language
	Pages    []Link
}

// ArticleView is one page of the manual.
type ArticleView struct {
	layout.ConsolePage
	component.TableList
	Language locale.Language // of the page
	HTML     string          // rendered and sanitized
	Sections []Link
}

// isOther reports whether a page's language is not that of the console.
func (v ArticleView) isOther() bool { return v.Language != v.Lang }

// StyleSheet is the style sheet of the section.
const StyleSheet = "css/console-help.css"

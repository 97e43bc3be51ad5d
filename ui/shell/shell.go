// Package shell is the frame around every page: the document, the header with its two switches, the footer.
//
// It is given a Page and writes HTML; it knows no request, no cookie and no asset folder beyond the prefix it is
// handed. Both switches work without scripts: the language is a link, the appearance a form with one button.
package shell

import "munadi/ui/text"

// Theme is the appearance that a visitor chose.
type Theme string

// The appearances. Auto follows the operating system.
const (
	Auto  Theme = "auto"
	Light Theme = "light"
	Dark  Theme = "dark"
)

// ParseTheme reads a theme's name; false for any other string.
func ParseTheme(s string) (Theme, bool) {
	switch Theme(s) {
	case Auto, Light, Dark:
		return Theme(s), true
	}
	return Auto, false
}

// Page is what the frame needs to know about a page.
type Page struct {
	Lang        text.Lang
	Theme       Theme
	Title       string
	Description string
	Path        string   // the page's own address without a query, for the switches
	Query       string   // what the address asks for besides, which another language keeps
	Assets      string   // prefix of every asset, without a trailing slash
	Styles      []string // style sheets below Assets, beyond the common ones
	Module      string   // entry module below Assets, "" for a page without scripts
	Version     string
	Exposed     bool // the page travels unencrypted beyond this machine
}

// elsewhere is the page's address in the other language.
func (p Page) elsewhere() string {
	href := p.Path + "?lang=" + string(p.Lang.Other())
	if p.Query != "" {
		href += "&" + p.Query
	}
	return href
}

func (p Page) words() text.Shell { return text.ShellIn(p.Lang) }

func (p Page) asset(name string) string { return p.Assets + "/" + name }

// next is the appearance that the switch offers: the opposite of the one on show, where that is known.
func (p Page) next() Theme {
	if p.Theme == Dark {
		return Light
	}
	return Dark
}

func (p Page) nextLabel() string {
	if p.next() == Light {
		return p.words().Light
	}
	return p.words().Dark
}

func commonStyles() []string {
	return []string{"css/tokens.css", "css/fonts.css", "css/base.css", "css/shell.css"}
}

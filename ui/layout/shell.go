// Package layout is the frame of every page: the document, the header with language and theme switch, the footer.
//
// It renders a PageFrame as HTML and handles no requests or cookies. Both switches work without scripts: the language
// is a link, the theme a form with one button.
package layout

import (
	"munadi/ui/locale"
)

// ColorTheme is the visitor's colour theme.
type ColorTheme string

// Themes. Auto follows the operating system.
const (
	Auto  ColorTheme = "auto"
	Light ColorTheme = "light"
	Dark  ColorTheme = "dark"
)

// ParseTheme reads a theme's name; false for any other string.
func ParseTheme(s string) (ColorTheme, bool) {
	switch ColorTheme(s) {
	case Auto, Light, Dark:
		return ColorTheme(s), true
	}
	return Auto, false
}

// PageFrame is the frame data of a page.
type PageFrame struct {
	Lang        locale.Language
	Theme       ColorTheme
	Title       string
	Description string
	Path        string   // the page's own address without a query, for the switches
	Query       string   // the query string, kept when the language changes
	Assets      string   // prefix of every asset, without a trailing slash
	Styles      []string // style sheets below Assets, beyond the common ones
	Module      string   // entry module below Assets, "" for a page without scripts
	Version     string
	Exposed     bool // the page is served unencrypted beyond this machine
	NoConsole   bool // the appliance has no console to link to
}

// otherLanguagePath returns the page's address in the other language.
func (p PageFrame) otherLanguagePath() string {
	href := p.Path + "?lang=" + string(p.Lang.OtherLanguage())
	if p.Query != "" {
		href += "&" + p.Query
	}
	return href
}

func (p PageFrame) assetPath(name string) string { return p.Assets + "/" + name }

// nextTheme returns the appearance that the switch offers: the opposite of the one on show, where that is known.
func (p PageFrame) nextTheme() ColorTheme {
	if p.Theme == Dark {
		return Light
	}
	return Dark
}

func (p PageFrame) nextLabel() string {
	if p.nextTheme() == Light {
		return locale.ShellLight.In(p.Lang)
	}
	return locale.ShellDark.In(p.Lang)
}

func commonStyles() []string {
	return []string{"css/tokens.css", "css/fonts.css", "css/base.css", "css/shell.css"}
}

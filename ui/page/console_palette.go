package page

import (
	"munadi/ui/layout"
)

// PaletteView is the search over everything: a page without scripts, the list of the Ctrl-K dialog with them.
type PaletteView struct {
	layout.ConsolePage
	Typed string
	Found []PaletteItem
}

// PaletteItem is one thing that was found.
type PaletteItem struct {
	Kind, Name, Note, Href string
	Latin                  bool // the name is read from the left
}

func (p PaletteItem) nameDirection() string {
	if p.Latin {
		return "ltr"
	}
	return "auto"
}

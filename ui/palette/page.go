// Package palette holds what a person sees of the search over everything (Ctrl-K).
package palette

import (
	"munadi/ui/layout"
)

// View is the search over everything: a page without scripts, the list of the Ctrl-K dialog with them.
type View struct {
	layout.ConsolePage
	Typed   string
	Found   []Item
	Unnamed bool // calls of an older version may be missing
}

// Item is one thing that was found.
type Item struct {
	Kind, Name, Note, Href string
	Number                 string // of the person, between name and note
	Latin                  bool   // the name is read from the left
}

func (p Item) nameDirection() string {
	if p.Latin {
		return "ltr"
	}
	return "auto"
}

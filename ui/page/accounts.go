package page

import (
	"slices"

	"munadi/ui/layout"
)

// withAccountStyle returns the frame with the style sheet of the pages about people, keys and notifications.
func withAccountStyle(p layout.ConsolePage) layout.ConsolePage {
	p.Styles = append(slices.Clip(p.Styles), "css/console-accounts.css")
	return p
}

package page

import (
	"slices"

	"munadi/ui/shell"
)

// accounts is the frame with the style sheet of the pages about people, keys and notifications.
func accounts(p shell.ConsolePage) shell.ConsolePage {
	p.Styles = append(slices.Clip(p.Styles), "css/console-accounts.css")
	return p
}

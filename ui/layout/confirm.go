package layout

import (
	"munadi/ui/component"
)

// ConfirmView is a page that asks before something that cannot be undone.
type ConfirmView struct {
	ConsolePage
	Question component.AskQuestion
}

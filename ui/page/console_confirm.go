package page

import (
	"munadi/ui/component"
	"munadi/ui/layout"
)

// ConfirmView is a page that asks before something that cannot be undone.
type ConfirmView struct {
	layout.ConsolePage
	Question component.AskQuestion
}

package page

import (
	"munadi/ui/part"
	"munadi/ui/shell"
)

// Confirm is a page that asks before something that cannot be undone.
type Confirm struct {
	shell.ConsolePage
	Question part.Question
}

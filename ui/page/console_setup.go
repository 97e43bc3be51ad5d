package page

import (
	"munadi/ui/shell"
	"munadi/ui/text"
)

// SetUp is the first card of the first run: the password.
type SetUp struct {
	shell.ConsolePage
	User   string // what the first user is called
	Fault  string
	Closed bool // the link opens nothing
}

func (p SetUp) words() text.SetUp { return text.SetUpIn(p.Lang) }

// Welcome is the second: the key, and the first call.
type Welcome struct {
	shell.ConsolePage
	Key    string // shown this once; empty: it was
	Number string // that is called; empty: the carrier is no simulator
}

func (p Welcome) words() text.SetUp { return text.SetUpIn(p.Lang) }

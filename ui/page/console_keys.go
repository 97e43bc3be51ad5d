package page

import (
	"slices"
	"time"

	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// Keys is the page of an organization's API keys.
type Keys struct {
	shell.ConsolePage
	part.List
	Zone   *time.Location
	Keys   []Key
	Made   string   // the new key, shown once
	Name   string   // what was typed
	Scopes []string // what was chosen
	Fault  string
}

// Key is one line.
type Key struct {
	ID, Name, Prefix string
	Scopes           []string
	Created          time.Time
	LastUsed         *time.Time
	Revoked          *time.Time
}

func (p Keys) words() text.Keys { return text.KeysIn(p.Lang) }

func (p Keys) chosen(scope string) bool { return slices.Contains(p.Scopes, scope) }

func scopes() []string {
	return []string{"stt", "calls", "calls:read", "calls:write", "settings", "people:erase", "admin"}
}

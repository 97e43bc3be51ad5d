package page

import (
	"slices"
	"time"

	"munadi/ui/component"
	"munadi/ui/layout"
)

// KeysView is the page of an organization's API keys.
type KeysView struct {
	layout.ConsolePage
	component.TableList
	Zone   *time.Location
	Keys   []KeyRow
	Made   string   // the new key, shown once
	Name   string   // what was typed
	Scopes []string // what was chosen
	Fault  string
}

// KeyRow is one line.
type KeyRow struct {
	ID, Name, Prefix string
	Scopes           []string
	Created          time.Time
	LastUsed         *time.Time
	Revoked          *time.Time
}

func (p KeysView) isChosen(scope string) bool { return slices.Contains(p.Scopes, scope) }

func scopeNames() []string {
	return []string{"stt", "calls", "calls:read", "calls:write", "settings", "people:erase", "admin"}
}

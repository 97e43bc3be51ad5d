// Package palette is the console's section of the search over everything (Ctrl-K).
package palette

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
)

// handlers are the section's pages and actions.
type handlers struct{ *kit.Console }

// DeclareSection declares the search over everything.
func DeclareSection(console *kit.Console) kit.Section {
	s := handlers{console}
	return kit.Section{ConsoleSection: layout.ConsoleSection{ID: "palette"}, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/palette", s.showPalette),
	}}
}

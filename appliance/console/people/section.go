// Package people is the console's pages of people: all calls of a number as one conversation, and its export.
package people

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
)

// handlers are the section's pages and actions.
type handlers struct{ *kit.Console }

// DeclareSection declares the pages of people, to which other pages lead.
func DeclareSection(console *kit.Console) kit.Section {
	s := handlers{console}
	return kit.Section{ConsoleSection: layout.ConsoleSection{ID: "people"}, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/people/:number", s.showPerson),
		kit.PostForm(account.Operator, "/people/:number/export", s.exportPerson),
	}}
}

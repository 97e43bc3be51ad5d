// Package trunks is the console's section of the installation's SIP trunks: their state, add, change, remove, a test
// call. Only those who govern the installation see it.
package trunks

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
)

// Parts is what the section needs beside what all share.
type Parts struct {
	// AreFixed reports whether the settings file, the environment or flags have trunks, which take precedence over those
	// that are set here.
	AreFixed func() bool
}

// parentSection is the section in the navigation that leads here.
const parentSection = "system"

// handlers are the section's pages and actions.
type handlers struct {
	*kit.Console
	Parts
}

// DeclareSection declares the section. The system page leads to it.
func DeclareSection(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	return kit.Section{ConsoleSection: layout.ConsoleSection{ID: "trunks"}, Routes: []kit.Route{
		kit.GetPage(account.Owner, "/trunks", s.showTrunks, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/trunks", s.addTrunk, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/trunks/:trunk", s.showTrunk, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/trunks/:trunk", s.saveTrunk, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/trunks/:trunk/delete", s.askRemove, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/trunks/:trunk/delete", s.removeTrunk, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/trunks/:trunk/test", s.testTrunk, kit.RequireGovernor),
	}}
}

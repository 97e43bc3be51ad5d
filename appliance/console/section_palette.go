package console

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
)

// paletteSection declares the search over everything.
func (s *ConsoleService) paletteSection() kit.Section {
	return kit.Section{ConsoleSection: layout.ConsoleSection{ID: "palette"}, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/palette", s.showPalette),
	}}
}

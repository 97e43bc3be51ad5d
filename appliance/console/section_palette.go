package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
)

// paletteSection declares the search over everything.
func (s *ConsoleService) paletteSection() Section {
	return Section{ConsoleSection: layout.ConsoleSection{ID: "palette"}, Routes: []Route{
		GetPage(account.Viewer, "/palette", s.showPalette),
	}}
}

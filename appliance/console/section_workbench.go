package console

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// workbenchSection declares the transcription workbench.
func (s *ConsoleService) workbenchSection() kit.Section {
	shown := layout.ConsoleSection{
		ID: "workbench", Name: locale.Text{"المختبر", "Workbench"}, Icon: "workbench",
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 70, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/workbench", s.showWorkbench),
		kit.PostForm(account.Operator, "/workbench", s.decodeOnWorkbench),
	}}
}

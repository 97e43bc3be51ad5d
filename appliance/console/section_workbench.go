package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// workbenchSection declares the transcription workbench.
func (s *ConsoleService) workbenchSection() Section {
	shown := layout.ConsoleSection{
		ID: "workbench", Name: locale.Text{"المختبر", "Workbench"}, Icon: "workbench",
	}
	return Section{ConsoleSection: shown, Role: account.Viewer, Order: 70, Routes: []Route{
		GetPage(account.Viewer, "/workbench", s.showWorkbench),
		PostForm(account.Operator, "/workbench", s.decodeOnWorkbench),
	}}
}

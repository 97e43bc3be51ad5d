// Package replays is the console's section of replays: list, start, progress, results, pause, resume, delete.
package replays

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// handlers are the section's pages and actions.
type handlers struct{ *kit.Console }

// DeclareSection declares the section.
func DeclareSection(console *kit.Console) kit.Section {
	s := handlers{console}
	return kit.Section{
		ConsoleSection: layout.ConsoleSection{
			ID: "replays", Name: locale.Text{"إعادة المكالمات", "Replays"}, Icon: "replays", Group: layout.SetUp,
		},
		Role: account.Operator, Order: 85,
		Routes: []kit.Route{
			kit.GetPage(account.Operator, "/replays", s.listReplays),
			kit.PostForm(account.Operator, "/replays", s.startReplay),
			kit.GetPage(account.Operator, "/replays/:replay", s.showReplay),
			kit.GetPage(account.Operator, "/replays/:replay/events", s.watchReplay),
			kit.PostForm(account.Operator, "/replays/:replay/pause", s.pauseReplay),
			kit.PostForm(account.Operator, "/replays/:replay/resume", s.resumeReplay),
			kit.GetPage(account.Operator, "/replays/:replay/delete", s.askDelete),
			kit.PostForm(account.Operator, "/replays/:replay/delete", s.deleteReplay),
		},
	}
}

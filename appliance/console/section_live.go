package console

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// liveSection declares live transcription.
func (s *ConsoleService) liveSection() kit.Section {
	shown := layout.ConsoleSection{
		ID: "live", Name: locale.Text{"مباشر", "Live"}, Icon: "live",
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 40, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/live", s.listLive),
		kit.GetPage(account.Viewer, "/live.csv", s.exportLive),
		kit.PostForm(account.Operator, "/live/start", s.startLive),
		kit.PostForm(account.Operator, "/live/token", s.issueLiveToken),
		kit.GetPage(account.Viewer, "/live/:id", s.showLive),
		kit.GetPage(account.Viewer, "/live/:id/events", s.watchLive),
		kit.GetPage(account.Viewer, "/live/:id/sound", s.serveLiveRecording),
		kit.GetPage(account.Viewer, "/live/:id/transcript/:format", s.downloadLiveTranscript),
		kit.PostForm(account.Operator, "/live/:id/stop", s.stopLive),
		kit.GetPage(account.Operator, "/live/:id/delete", s.askDeleteLive),
		kit.PostForm(account.Operator, "/live/:id/delete", s.deleteLive),
	}}
}

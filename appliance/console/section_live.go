package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// liveSection declares live transcription.
func (s *ConsoleService) liveSection() Section {
	shown := layout.ConsoleSection{
		ID: "live", Name: locale.Text{"مباشر", "Live"}, Icon: "live",
	}
	return Section{ConsoleSection: shown, Role: account.Viewer, Order: 40, Routes: []Route{
		GetPage(account.Viewer, "/live", s.listLive),
		GetPage(account.Viewer, "/live.csv", s.exportLive),
		PostForm(account.Operator, "/live/start", s.startLive),
		PostForm(account.Operator, "/live/token", s.issueLiveToken),
		GetPage(account.Viewer, "/live/:id", s.showLive),
		GetPage(account.Viewer, "/live/:id/events", s.watchLive),
		GetPage(account.Viewer, "/live/:id/sound", s.serveLiveRecording),
		GetPage(account.Viewer, "/live/:id/transcript/:format", s.downloadLiveTranscript),
		PostForm(account.Operator, "/live/:id/stop", s.stopLive),
		GetPage(account.Operator, "/live/:id/delete", s.askDeleteLive),
		PostForm(account.Operator, "/live/:id/delete", s.deleteLive),
	}}
}

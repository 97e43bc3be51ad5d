// Package live is the console's section of live transcription: start, follow, download, delete.
package live

import (
	"context"
	"time"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// Parts is what the section needs beside what all share.
type Parts struct {
	// Sessions runs live microphone sessions; Microphones lists the microphones of this machine.
	Sessions    MicrophoneSessions
	Microphones func(ctx context.Context) ([]string, error)
	// Latencies returns the latencies of live transcription that the model offers, the default first; none: no choice.
	Latencies func() []time.Duration
}

// handlers are the section's pages and actions.
type handlers struct {
	*kit.Console
	Parts
}

// DeclareSection declares live transcription.
func DeclareSection(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	shown := layout.ConsoleSection{
		ID: "live", Name: locale.Text{"مباشر", "Live"}, Icon: "live", Group: layout.Work,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 60, Routes: []kit.Route{
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

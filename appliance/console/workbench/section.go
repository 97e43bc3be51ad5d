// Package workbench is the console's section of the transcription workbench.
package workbench

import (
	"io/fs"

	"munadi/appliance/console/kit"
	"munadi/appliance/recognizer"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// Parts is what the section needs beside what all share.
type Parts struct {
	// Decoder is the recognizer, OpenSound opens its audio files, Samples are the bundled recordings.
	Decoder   DebugDecoder
	OpenSound recognizer.SoundOpener
	Samples   fs.FS
}

// handlers are the section's pages and actions.
type handlers struct {
	*kit.Console
	Parts
}

// DeclareSection declares the transcription workbench.
func DeclareSection(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	shown := layout.ConsoleSection{
		ID: "workbench", Name: locale.Text{"المختبر", "Workbench"}, Icon: "workbench", Group: layout.SetUp,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 120, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/workbench", s.showWorkbench),
		kit.PostForm(account.Operator, "/workbench", s.decodeOnWorkbench),
	}}
}

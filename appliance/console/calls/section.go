// Package calls is the console's sections of calls: the list, one call, booking, the wall.
package calls

import (
	"context"
	"encoding/json"
	"net/http"

	"munadi/appliance/console/kit"
	"munadi/appliance/ssehub"
	"munadi/store/account"
	"munadi/ui/calls"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// DeclareSection declares calls: the list, one call, booking.
func DeclareSection(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	shown := layout.ConsoleSection{
		ID: "calls", Name: locale.Text{"المكالمات", "Calls"}, Icon: "calls", Group: layout.Work,
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 20, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "/calls", s.listCalls),
		kit.GetPage(account.Viewer, "/calls.csv", s.exportCalls),
		kit.GetPage(account.Viewer, "/calls.xlsx", s.exportWorkbook),
		kit.GetPage(account.Viewer, "/calls/events", s.watchCalls),
		kit.GetPage(account.Viewer, "/calls/wall", s.showWall),
		kit.PostForm(account.Viewer, "/calls/views", s.saveView),
		kit.PostForm(account.Viewer, "/calls/views/delete", s.deleteView),
		kit.GetPage(account.Operator, "/calls/bulk", s.askBulk),
		kit.PostForm(account.Operator, "/calls/bulk", s.startBulk),
		kit.GetPage(account.Operator, "/calls/bulk/:id", s.showBulk),
		kit.PostForm(account.Operator, "/calls/bulk/:id/undo", s.undoBulk),
		kit.GetPage(account.Viewer, "/calls/:id", s.showCall),
		kit.GetPage(account.Viewer, "/calls/:id/events", s.watchCall),
		kit.GetPage(account.Viewer, "/calls/:id/recording", s.serveCallRecording),
		kit.GetPage(account.Viewer, "/calls/:id"+calls.GapsPath, s.showGaps),
		kit.GetPage(account.Operator, "/calls/new", s.newCall),
		kit.PostForm(account.Operator, "/calls", s.bookCall),
		kit.GetPage(account.Operator, "/calls/cancel", s.askCancel),
		kit.PostForm(account.Operator, "/calls/cancel", s.cancelCalls),
		kit.GetPage(account.Operator, "/calls/:id/listen", s.streamCallSound),
		kit.GetPage(account.Operator, "/calls/:id/takeover", s.takeOverCall),
		kit.GetPage(account.Operator, "/calls/:id/evidence", s.sendEvidence),
		kit.GetPage(account.Operator, "/calls/:id/hangup", s.askHangup),
		kit.PostForm(account.Operator, "/calls/:id/hangup", s.hangupCall),
		kit.PostForm(account.Operator, "/calls/:id/reschedule", s.rescheduleCall),
		kit.PostForm(account.Operator, "/calls/:id/call_back", s.callBack),
		kit.PostForm(account.Operator, "/calls/:id/test", s.keepTest),
		kit.PostForm(account.Operator, "/calls/:id/note", s.addNote),
		kit.PostForm(account.Operator, "/calls/:id/need", s.changeFollowUp),
		kit.PostForm(account.Operator, "/calls/:id/correct", s.correctAnswers),
		kit.PostForm(account.Operator, "/calls/:id/turn", s.correctTurn),
		kit.GetPage(account.Operator, "/calls/:id/erase", s.askErase),
		kit.PostForm(account.Operator, "/calls/:id/erase", s.erasePerson),
	}}
}

// Parts is what the section needs beside what all share.
type Parts struct {
	// Recordings have the waveforms of calls; Sound is the hub of running calls' audio.
	Recordings WaveformStore
	Sound      *ssehub.SoundHub
	// TakeOver gives the platform's side of a running call to a browser; nil: it cannot be taken over.
	TakeOver func(w http.ResponseWriter, r *http.Request, q kit.TakeOverRequest) error
	// LatestEvents returns the latest events of topics that other appliances publish, oldest first; nil: there are none.
	LatestEvents func(
		ctx context.Context, topics []ssehub.EventTopic, kind string, n int,
	) map[ssehub.EventTopic][]json.RawMessage
}

// handlers are the section's pages and actions.
type handlers struct {
	*kit.Console
	Parts
}

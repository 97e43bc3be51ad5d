package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// callsSection declares calls: the list, one call, booking, and all calls of a person.
func (s *ConsoleService) callsSection() Section {
	shown := layout.ConsoleSection{
		ID: "calls", Name: locale.Text{"المكالمات", "Calls"}, Icon: "calls",
	}
	return Section{ConsoleSection: shown, Role: account.Viewer, Order: 20, Routes: []Route{
		GetPage(account.Viewer, "/calls", s.listCalls),
		GetPage(account.Viewer, "/calls.csv", s.exportCalls),
		GetPage(account.Viewer, "/calls/events", s.watchCalls),
		GetPage(account.Viewer, "/calls/wall", s.showWall),
		PostForm(account.Viewer, "/calls/views", s.saveView),
		PostForm(account.Viewer, "/calls/views/delete", s.deleteView),
		GetPage(account.Operator, "/calls/bulk", s.askBulk),
		PostForm(account.Operator, "/calls/bulk", s.startBulk),
		GetPage(account.Operator, "/calls/bulk/:id", s.showBulk),
		PostForm(account.Operator, "/calls/bulk/:id/undo", s.undoBulk),
		GetPage(account.Viewer, "/calls/:id", s.showCall),
		GetPage(account.Viewer, "/calls/:id/events", s.watchCall),
		GetPage(account.Viewer, "/calls/:id/recording", s.serveCallRecording),
		GetPage(account.Operator, "/calls/new", s.newCall),
		PostForm(account.Operator, "/calls", s.bookCall),
		GetPage(account.Operator, "/calls/cancel", s.askCancel),
		PostForm(account.Operator, "/calls/cancel", s.cancelCalls),
		GetPage(account.Operator, "/calls/:id/listen", s.streamCallSound),
		GetPage(account.Operator, "/calls/:id/hangup", s.askHangup),
		PostForm(account.Operator, "/calls/:id/hangup", s.hangupCall),
		PostForm(account.Operator, "/calls/:id/reschedule", s.rescheduleCall),
		PostForm(account.Operator, "/calls/:id/note", s.addNote),
		PostForm(account.Operator, "/calls/:id/need", s.changeFollowUp),
		PostForm(account.Operator, "/calls/:id/correct", s.correctAnswers),
		PostForm(account.Operator, "/calls/:id/turn", s.correctTurn),
		GetPage(account.Viewer, "/people/:number", s.showPerson),
		GetPage(account.Operator, "/calls/:id/erase", s.askErase),
		PostForm(account.Operator, "/calls/:id/erase", s.erasePerson),
	}}
}

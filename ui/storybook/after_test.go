package storybook

import (
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// amendedCall returns the record of a call that staff noted, marked and corrected.
func amendedCall(l locale.Language) calls.CallView {
	p := endedCall(l)
	p.After = calls.AfterCall{
		May:   true,
		Notes: []call.CallNote{{At: morningTime(40), By: "سارة", Text: "يفضّل <المساء>"}},
		Need:  waitingNeed(l),
		Corrections: []calls.CorrectedAnswer{
			{Label: "الحضور", Before: calls.CallYes.In(l), After: calls.CallNo.In(l), By: "سارة", At: morningTime(41)},
		},
	}
	least, most := 1.0, 9.0
	for _, fields := range [][]form.Field{
		calls.AnswerInput(scenario.AnswerSlot{Type: scenario.YesNo}, l, "confirmed", "الحضور", "false", []form.Option{
			{Value: "true", Name: calls.CallYes.In(l)}, {Value: "false", Name: calls.CallNo.In(l)},
		}),
		calls.AnswerInput(scenario.AnswerSlot{Type: scenario.Number, Min: &least, Max: &most}, l, "guests", "Guests", "2", nil),
		calls.AnswerInput(scenario.AnswerSlot{}, l, "wish", "<Wish>", "", nil),
	} {
		p.After.Fields = append(p.After.Fields, fields...)
	}
	for i := range p.Turns {
		p.Turns[i].Index, p.Turns[i].Content, p.Turns[i].MayCorrect = i, "لا <أستطيع>", p.Turns[i].Role == call.User
	}
	p.Turns[len(p.Turns)-1].Heard, p.Turns[len(p.Turns)-1].CorrectedBy = "نعم", "سارة"
	return p
}

// waitingNeed returns the mark of a call that is not taken.
func waitingNeed(l locale.Language) *calls.CallNeed {
	return &calls.CallNeed{Open: true, Reason: calls.AfterReasons.Word(l, "asked_for_person"), At: morningTime(33)}
}

// queueExample returns the queue with a free call and one that the user has taken.
func queueExample(l locale.Language) calls.QueueView {
	taken := *waitingNeed(l)
	taken.Mine, taken.TakenBy = true, "سارة"
	p := calls.QueueView{
		ConsolePage: ConsoleFrame(l, "queue", locale.ConsoleQueue.In(l)), May: true, Next: calls.QueuePath + "?cursor=a",
		Rows: []calls.QueueRow{
			{CallRow: callRow("2", "+966512345602", "completed"), Need: *waitingNeed(l), Note: "اتصل <مساءً>"},
			{CallRow: callRow("3", "", "completed"), Need: taken},
		},
	}
	p.Sections, p.Waiting = append(p.Sections, shownSection("queue")), 2
	return p
}

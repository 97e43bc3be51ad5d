package storybook

import (
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/locale"
)

// amendedCall returns the record of a call that staff noted, marked and corrected.
func amendedCall(l locale.Language) calls.CallView {
	p := endedCall(l)
	p.After = calls.AfterCall{
		May:   true,
		Notes: []calls.CallRemark{{At: morningTime(40), By: "سارة", Text: "يفضّل <المساء>"}},
		Need:  waitingNeed(l),
		Corrections: []calls.CorrectedAnswer{
			{Label: "الحضور", Before: calls.CallYes.In(l), After: calls.CallNo.In(l), By: "سارة", At: morningTime(41)},
		},
		Fields: []calls.AnswerField{
			{Name: "confirmed", Label: "الحضور", Value: "false", Type: "select", Choices: []component.ListChoice{
				{Value: "true", Name: calls.CallYes.In(l)}, {Value: "false", Name: calls.CallNo.In(l)},
			}},
			{Name: "guests", Label: "Guests", Value: "2", Type: "number", Min: "1", Max: "9"},
			{Name: "wish", Label: "<Wish>", Type: "text"},
		},
	}
	for i := range p.Messages {
		p.Messages[i].Index, p.Messages[i].Text, p.Messages[i].MayCorrect = i, "لا <أستطيع>", p.Messages[i].Customer
	}
	p.Messages[len(p.Messages)-1].Heard, p.Messages[len(p.Messages)-1].CorrectedBy = "نعم", "سارة"
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

package storybook

import (
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// amendedCall returns the record of a call that staff noted, marked and corrected.
func amendedCall(l locale.Language) page.CallView {
	p := endedCall(l)
	p.After = page.AfterCall{
		May:   true,
		Notes: []page.CallRemark{{At: morningTime(40), By: "سارة", Text: "يفضّل <المساء>"}},
		Need:  waitingNeed(l),
		Corrections: []page.CorrectedAnswer{
			{Label: "الحضور", Before: calls.CallYes.In(l), After: calls.CallNo.In(l), By: "سارة", At: morningTime(41)},
		},
		Fields: []page.AnswerField{
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
func waitingNeed(l locale.Language) *page.CallNeed {
	return &page.CallNeed{Open: true, Reason: calls.AfterReasons.Word(l, "asked_for_person"), At: morningTime(33)}
}

// queueExample returns the queue with a free call and one that the user has taken.
func queueExample(l locale.Language) page.QueueView {
	taken := *waitingNeed(l)
	taken.Mine, taken.TakenBy = true, "سارة"
	p := page.QueueView{
		ConsolePage: ConsoleFrame(l, "queue", locale.ConsoleQueue.In(l)), May: true, Next: page.QueuePath + "?cursor=a",
		Rows: []page.QueueRow{
			{CallRow: callRow("2", "+966512345602", "completed"), Need: *waitingNeed(l), Note: "اتصل <مساءً>"},
			{CallRow: callRow("3", "", "completed"), Need: taken},
		},
	}
	p.Sections, p.Waiting = append(p.Sections, shownSection("queue")), 2
	return p
}

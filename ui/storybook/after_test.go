package storybook

import (
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/queue"
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
func queueExample(l locale.Language) queue.View {
	need := call.PersonNeed{Reason: call.NeedAsked, At: morningTime(33)}
	first := queue.Row{
		Call: call.Call{ID: "call_2", PhoneNumber: "+966512345602", Need: &need, Messages: []call.Message{
			{Role: call.User, Content: "أريد <موظفًا>"}, {Role: call.Assistant, Content: "حسنًا"},
		}},
		Name: "سارة <علي>", Scenario: "تأكيد موعد", Reason: calls.AfterReasons.Word(l, "asked_for_person"), May: true,
	}
	second := first
	second.Call = call.Call{ID: "call_3", Need: &need, Notes: []call.CallNote{{Text: "اتصل <مساءً>"}}}
	second.Name, second.Taker, second.Mine = "", "سارة", true
	p := queue.View{
		ConsolePage: ConsoleFrame(l, "queue", locale.ConsoleQueue.In(l)), Rows: []queue.Row{first, second},
		Choices:   []queue.Choice{{Name: queue.All.In(l), Count: "2", Path: calls.QueuePath, Chosen: true}, {Name: queue.Mine.In(l), Count: "1", Path: calls.QueuePath + "?whose=mine"}},
		TableList: component.TableList{Action: calls.QueuePath, CSV: calls.QueuePath + ".csv", Shown: 2, Next: calls.QueuePath + "?from=50"},
	}
	p.Sections, p.Waiting = append(p.Sections, shownSection("queue")), 2
	return p
}

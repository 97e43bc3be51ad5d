package storybook

import (
	"munadi/store/call"
	"munadi/ui/calls"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/people"
	"munadi/ui/suppressions"
)

// personExample returns a person who was called twice.
func personExample(l locale.Language) people.PersonView {
	length, answered, ended := 83, morningTime(31), morningTime(33)
	done := people.ConversationCall{Scenario: "تأكيد <موعد>", Shown: "completed", Call: call.Call{
		ID: "call_2", Status: call.Completed, ScheduledAt: morningTime(30), StartedAt: &answered, EndedAt: &ended, Duration: &length,
		Recording: "2.wav", Attempt: call.AttemptChain{Number: 2, Max: 3}, Notes: []call.CallNote{{Text: "يفضّل <المساء>"}},
		Messages: []call.Message{{Role: call.Assistant, Content: "هل تؤكد <الموعد>؟"}, {Role: call.User, Content: "نعم"}},
	}}
	missed := people.ConversationCall{Shown: "no_answer", Reason: "no_answer", Call: call.Call{
		ID: "call_1", Status: call.NoAnswer, ScheduledAt: morningTime(30).AddDate(0, 0, -2), Direction: call.Inbound,
	}}
	p := people.PersonView{
		ConsolePage: ConsoleFrame(l, "calls", people.Title.In(l)), Number: "+966512345602", Name: "سارة <الأحمد>",
		May: true, Calls: []people.ConversationCall{done, missed}, Older: calls.PersonPath("+966512345602") + "?cursor=a",
		Answers: []people.PersonAnswer{
			{ReportSlot: calls.ReportSlot{Name: "confirmed", Label: locale.SlotWord(l, "confirmed"), Value: calls.CallYes.In(l), Known: true}, CallID: done.ID, At: morningTime(30)},
			{ReportSlot: calls.ReportSlot{Name: "new_time", Label: locale.SlotWord(l, "new_time"), Value: "17:30", Known: true}, CallID: done.ID, At: morningTime(30)},
		},
	}
	p.Suppress = people.BindSuppression(form.NewBinder(l, nil, nil), &people.NewSuppression{From: "person", Number: p.Number})
	return p
}

// suppressedPersonExample returns a number that asked not to be called, without calls.
func suppressedPersonExample(l locale.Language) people.PersonView {
	return people.PersonView{
		ConsolePage: ConsoleFrame(l, "calls", people.Title.In(l)), Number: "+966512345603", May: true,
		Suppressed: &suppressions.SuppressedRow{Number: "+966512345603", Reason: "طلب ذلك", Source: "call", Added: morningTime(3)},
	}
}

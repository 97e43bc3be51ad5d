package storybook

import (
	"munadi/ui/calls"
	"munadi/ui/locale"
	"munadi/ui/people"
	"munadi/ui/suppressions"
)

// personExample returns a person who was called twice.
func personExample(l locale.Language) people.PersonView {
	length := 83
	done, missed := callRow("2", "+966512345602", "completed"), callRow("1", "+966512345602", "no_answer")
	done.Duration, done.Attempt = &length, 2
	return people.PersonView{
		ConsolePage: ConsoleFrame(l, "calls", people.Title.In(l)), Number: "+966512345602", Name: "سارة <الأحمد>",
		May: true, Rows: []calls.CallRow{done, missed}, Older: calls.PersonPath("+966512345602") + "?cursor=a",
		Answers: []people.PersonAnswer{
			{ReportSlot: calls.ReportSlot{Name: "confirmed", Label: locale.SlotWord(l, "confirmed"), Value: calls.CallYes.In(l), Known: true}, CallID: done.ID, At: morningTime(30)},
			{ReportSlot: calls.ReportSlot{Name: "new_time", Label: locale.SlotWord(l, "new_time"), Value: "17:30", Known: true}, CallID: done.ID, At: morningTime(30)},
		},
	}
}

// suppressedPersonExample returns a number that asked not to be called, without calls.
func suppressedPersonExample(l locale.Language) people.PersonView {
	return people.PersonView{
		ConsolePage: ConsoleFrame(l, "calls", people.Title.In(l)), Number: "+966512345603", May: true,
		Suppressed: &suppressions.SuppressedRow{Number: "+966512345603", Reason: "طلب ذلك", Source: "call", Added: morningTime(3)},
	}
}

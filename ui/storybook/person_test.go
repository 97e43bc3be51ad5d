package storybook

import (
	"munadi/ui/calls"
	"munadi/ui/locale"
	"munadi/ui/page"
	"munadi/ui/people"
	"munadi/ui/suppressions"
)

// personExample returns a person who was called twice.
func personExample(l locale.Language) page.PersonView {
	length := 83
	done, missed := callRow("2", "+966512345602", "completed"), callRow("1", "+966512345602", "no_answer")
	done.Duration, done.Attempt = &length, 2
	return page.PersonView{
		ConsolePage: ConsoleFrame(l, "calls", people.Title.In(l)), Number: "+966512345602", Name: "سارة <الأحمد>",
		May: true, Rows: []page.CallRow{done, missed}, Older: page.PersonPath("+966512345602") + "?cursor=a",
		Answers: []page.PersonAnswer{
			{ReportSlot: page.ReportSlot{Name: "confirmed", Label: locale.SlotWord(l, "confirmed"), Value: calls.CallYes.In(l), Known: true}, CallID: done.ID, At: morningTime(30)},
			{ReportSlot: page.ReportSlot{Name: "new_time", Label: locale.SlotWord(l, "new_time"), Value: "17:30", Known: true}, CallID: done.ID, At: morningTime(30)},
		},
	}
}

// suppressedPersonExample returns a number that asked not to be called, without calls.
func suppressedPersonExample(l locale.Language) page.PersonView {
	return page.PersonView{
		ConsolePage: ConsoleFrame(l, "calls", people.Title.In(l)), Number: "+966512345603", May: true,
		Suppressed: &suppressions.SuppressedRow{Number: "+966512345603", Reason: "طلب ذلك", Source: "call", Added: morningTime(3)},
	}
}

package storybook

import (
	"munadi/store/call"
	"munadi/ui/calls"
	"munadi/ui/locale"
)

// wallExample returns two running calls side by side.
func wallExample(l locale.Language) calls.WallView {
	talking, began := callRow("1", "+966512345601", "in_progress"), morningTime(30)
	talking.StartedAt = &began
	return calls.WallView{
		ConsolePage: ConsoleFrame(l, "calls", calls.WallTitle.In(l)), MayListen: true, More: true,
		Rows: []calls.CallRow{talking, callRow("2", "+966512345602", "dialing")},
		Turns: map[string][]call.Message{
			talking.ID: {{Role: call.Assistant, Content: "هل تؤكد <الموعد>؟"}, {Role: call.User, Content: "نعم"}},
		},
	}
}

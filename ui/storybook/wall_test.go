package storybook

import (
	"munadi/ui/calls"
	"munadi/ui/locale"
)

// wallExample returns two running calls side by side.
func wallExample(l locale.Language) calls.WallView {
	return calls.WallView{
		ConsolePage: ConsoleFrame(l, "calls", calls.WallTitle.In(l)), MayListen: true, More: true,
		Cards: []calls.WallCard{
			{
				CallRow: callRow("1", "+966512345601", "in_progress"), Since: "2026-11-21T09:30:00.000Z",
				Turns: []calls.WallTurn{{Text: "هل تؤكد <الموعد>؟"}, {Customer: true, Text: "نعم"}},
			},
			{CallRow: callRow("2", "+966512345602", "dialing")},
		},
	}
}

package storybook

import (
	"munadi/store/callrules"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/suppressions"
)

func suppressionPages(l locale.Language) []Exhibit {
	frame := consoleFrame(l, "rules", locale.SuppressionList.In(l))
	day, past := hoursBeforeNoon(-36), hoursBeforeNoon(2)
	entries := []callrules.SuppressionEntry{
		{PhoneNumber: "+966512345603", Reason: "asked <us>", Source: "console", CreatedAt: hoursBeforeNoon(5), Until: &day},
		{PhoneNumber: "+966512345604", Source: "call", CreatedAt: hoursBeforeNoon(9), Until: &past},
		{PhoneNumber: "+966512345605", Source: "carrier", CreatedAt: hoursBeforeNoon(30)},
	}
	wrong := []form.Violation{{Path: "number", Message: "wrong"}, {Path: "until", Message: "<past>"}}
	typed := suppressions.NewEntry{Number: "05", Until: "2026-11-01"}
	return []Exhibit{
		{"page-suppressions", suppressions.Page(suppressions.View{
			ConsolePage: frame, May: true, Entries: entries, Now: hoursBeforeNoon(0), Next: "/console/rules/suppressions?cursor=x",
			Form: suppressions.BindEntry(form.NewBinder(l, nil, wrong), &typed),
			Report: &suppressions.ImportReport{
				Added: 3, Refused: 1, Lines: []suppressions.RefusedLine{{Line: 4, Text: "<05>", Problem: suppressions.BadNumber.In(l)}},
			},
		})},
		{"page-suppressions-viewer", suppressions.Page(suppressions.View{ConsolePage: frame, Entries: entries, Now: hoursBeforeNoon(0)})},
	}
}

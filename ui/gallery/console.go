package gallery

import (
	"time"

	"munadi/ui/page"
	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// Frame is the console's frame as fixtures stand in it.
func Frame(l text.Lang, section shell.Section, title string) shell.ConsolePage {
	return shell.ConsolePage{
		Page: shell.Page{
			Lang: l, Theme: shell.Auto, Title: title, Path: section.Href(), Assets: "/assets/0", Version: "1.2.3",
		},
		Section: section, User: "سارة", Org: "Al-Noor <Clinic>", CSRF: "0f1e2d3c", Simulated: true,
		Sections: []shell.Section{
			shell.Dashboard, shell.Calls, shell.Live, shell.Workbench, shell.Scenarios, shell.Rules, shell.System,
		},
		Flash: &shell.Flash{Text: "Saved & <done>."},
	}
}

// kit is the parts that every console page is made of.
func kit(l text.Lang) []Exhibit {
	return []Exhibit{
		{"part-status", part.Status(l, "no_answer")},
		{"part-badge", part.Badge("bad", "<failed>")},
		{"part-simulated", part.Simulated(text.ConsoleIn(l))},
		{"part-empty", part.Empty("calls", "لا مكالمات", "Nothing <yet>.")},
		{"part-pager", part.Pager(l, "/console/calls?cursor=a", "/console/calls?cursor=b")},
		{"part-pager-last", part.Pager(l, "/console/calls?cursor=a", "")},
		{"part-copy", part.Copy(l, "key")},
		{"part-field", part.Field("number", "رقم الهاتف", "E.164", "Not a <number>.")},
		{"part-ask", part.Ask(part.Question{
			Title: "Revoke?", Text: "No way back.", Action: "/console/keys/1/revoke", CSRF: "0f1e2d3c", Do: "Revoke",
			Danger: true, Back: "/console/keys", Leave: "Leave it",
		})},
		{"part-stat", part.Figure(part.Stat{Label: "تمّت", Value: "12", Unit: "×", Note: "of 20", Href: "/console/calls"})},
		{"part-bars", part.BarChart(Bars())},
		{"part-bars-empty", part.BarChart(part.Bars{ID: "b", Title: "Calls", Empty: "None."})},
		{"part-line", part.LineChart(part.Line{ID: "l", Title: "Load", Summary: "12 %", Values: []float64{0, 1, 0.5}, From: "09:00", To: "now"})},
		{"part-line-empty", part.LineChart(part.Line{ID: "l", Title: "Load", Empty: "None."})},
		{"part-meter", part.Meter(part.Gauge{Label: "Disk", Text: "40 %", Part: 0.4, State: "accent"})},
		{"part-day", part.DayLine(Day())},
	}
}

// Bars is a chart's fixture: two outcomes in three hours.
func Bars() part.Bars {
	return part.Bars{
		ID: "bars", Title: "Calls", Every: 1, Slots: []string{"09:00", "10:00", "11:00"},
		Series: []part.Series{
			{State: "completed", Label: "Completed", Values: []float64{3, 0, 7}},
			{State: "failed", Label: "Failed", Values: []float64{1, 0, 0}},
		},
	}
}

// Day is a line's fixture: two marks on each other, one later.
func Day() part.Day {
	return part.Day{
		ID: "day", Title: "Today", Slots: 96, Now: 0.5, Marks: []part.DayMark{
			{Slot: 40, State: "completed", Title: "10:00"},
			{Slot: 40, State: "failed", Title: "10:05"},
			{Slot: 60, State: "scheduled", Title: "15:00"},
		},
	}
}

func consolePages(l text.Lang) []Exhibit {
	day := page.Dashboard{
		ConsolePage: Frame(l, shell.Dashboard, text.DashboardIn(l).Title), Date: "2026-11-21", Zone: "Asia/Riyadh",
		MayCall: true, Day: Day(), ByHour: Bars(), NewCallHref: "/console/calls/new",
		Figures: []part.Stat{{Label: "Completed", Value: "12", Note: "of 20"}},
		Load:    part.Line{ID: "load", Title: "Load", Empty: "None."}, Factor: part.Line{ID: "factor", Title: "Factor", Empty: "None."},
		Needs: []page.Need{{State: "bad", Title: "Lost", Text: "3 <notifications>", Href: "/console/webhook", Do: "Open"}},
	}
	first := day
	first.First, first.Needs, first.Exposed = true, nil, true
	ringing, wired := first, System(l)
	ringing.Simulated = false
	wired.Simulated, wired.Line = false, &page.Line{
		Since: wired.Started, Trunk: "trunk.example.com:5061 over TLS", Registers: true, Fault: "nobody <answers>",
	}
	return []Exhibit{
		{"console-dashboard", page.DashboardPage(day)},
		{"console-dashboard-first", page.DashboardPage(first)},
		{"console-dashboard-real", page.DashboardPage(ringing)},
		{"console-system", page.SystemPage(System(l))},
		{"console-system-line", page.SystemPage(wired)},
	}
}

// System is the system page's fixture.
func System(l text.Lang) page.System {
	at := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	return page.System{
		ConsolePage: Frame(l, shell.System, text.SystemIn(l).Title), Started: at, Address: "https://munadi.example",
		Model: []page.Fact{{Name: "Name", Value: "svc-stt"}}, Label: []string{"Not for <dictation>."},
		Workers: []page.Worker{{Name: "jobs"}, {Name: "webhooks", Fault: true}}, Sources: "ONNX Runtime: MIT",
		Inside: &page.Inside{
			Folder: "/var/lib/munadi", Disk: part.Gauge{Label: "Used", Text: "40 %", Part: 0.4, State: "accent"}, Backups: page.Backups{
				Last: &at, Next: &at, Facts: []page.Fact{{Name: "Kept", Value: "7"}}, Open: true, Fault: "no <room>",
			},
			Settings: []page.Setting{{Name: "listen", Value: "0.0.0.0:80", Default: "127.0.0.1:8080"}, {Name: "lines", Value: "0", Default: "0"}},
			Log:      []string{"level=INFO msg=listening", "level=WARN msg=\"<slow>\""},
		},
	}
}

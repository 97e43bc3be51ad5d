package storybook

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/a-h/templ"

	"munadi/ui/component"
	"munadi/ui/dashboard"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/system"
)

// shownSection returns a section as the console declares it (appliance/console), by its id.
func shownSection(id string) layout.ConsoleSection {
	name := map[string]locale.Text{
		"": {"اليوم", "Today"}, "calls": {"المكالمات", "Calls"}, "live": {"مباشر", "Live"}, "reports": {"التقارير", "Reports"},
		"workbench": {"المختبر", "Workbench"}, "scenarios": {"السيناريوهات", "Scenarios"}, "rules": {"قواعد الاتصال", "Dialling rules"},
		"system": {"النظام", "System"}, "webhook": {"الإشعارات", "Webhook"}, "keys": {"مفاتيح API", "API keys"},
		"users": {"المستخدمون", "Users"}, "audit": {"سجل التغييرات", "Audit log"}, "help": {"المساعدة", "Help"},
		"destinations": {"وجهات الأحداث", "Event destinations"}, "queue": {"تحتاج إلى موظف", "Needs staff"},
	}[id]
	shown := layout.ConsoleSection{ID: id, Name: name, Icon: cmp.Or(id, "dashboard"), CountsWaiting: id == "queue", Group: layout.Work}
	switch id {
	case "workbench", "scenarios", "rules", "webhook":
		shown.Group = layout.SetUp
	case "system", "keys", "users", "audit", "help":
		shown.Group = layout.Administration
	}
	return shown
}

func shownSections(ids ...string) (all []layout.ConsoleSection) {
	for _, id := range ids {
		all = append(all, shownSection(id))
	}
	return all
}

// ConsoleFrame returns the console's frame as fixtures stand in it.
func ConsoleFrame(l locale.Language, section, title string) layout.ConsolePage {
	return layout.ConsolePage{
		PageFrame: layout.PageFrame{
			Lang: l, Theme: layout.Auto, Title: title, Path: shownSection(section).SectionPath(), Assets: "/assets/0", Version: "1.2.3",
		},
		Section: section, User: "سارة", Org: "Al-Noor <Clinic>", CSRF: "0f1e2d3c", Simulated: true,
		Sections: shownSections("", "calls", "live", "reports", "workbench", "scenarios", "rules", "system"),
		Flash:    &layout.FlashMessage{Text: "Saved & <done>."},
	}
}

// componentExhibits returns the parts that every console page is made of.
func componentExhibits(l locale.Language) []Exhibit {
	return []Exhibit{
		{"part-status", component.Status(l, "no_answer")},
		{"part-badge", component.Badge("bad", "<failed>")},
		{"part-simulated", component.Simulated(l)},
		{"part-when", momentsAgo(l)},
		{"part-empty", component.Empty("calls", "لا مكالمات", "Nothing <yet>.")},
		{"part-pager", component.Pager(l, "/console/calls?cursor=a", "/console/calls?cursor=b")},
		{"part-pager-last", component.Pager(l, "/console/calls?cursor=a", "")},
		{"part-copy", component.Copy(l, "key")},
		{"part-field", component.Field("number", "رقم الهاتف", "E.164", "Not a <number>.")},
		{"part-ask", component.Ask(component.AskQuestion{
			Title: "Revoke?", Text: "No way back.", Action: "/console/keys/1/revoke", Do: "Revoke",
			Danger: true, Back: "/console/keys",
		}, "0f1e2d3c", l)},
		{"part-stat", component.Figure(component.KeyFigure{Label: "تمّت", Value: "12", Unit: "×", Note: "of 20", Href: "/console/calls"})},
		{"part-bars", component.BarChart(BarsFixture())},
		{"part-bars-empty", component.BarChart(component.StackedBars{ID: "b", Title: "Calls", Empty: "None."})},
		{"part-line", component.LineChart(component.SparkLine{ID: "l", Title: "Load", Summary: "12 %", Values: []float64{0, 1, 0.5}, From: "09:00", To: "now"})},
		{"part-line-empty", component.LineChart(component.SparkLine{ID: "l", Title: "Load", Empty: "None."})},
		{"part-meter", component.Meter(component.FillGauge{Label: "Disk", Text: "40 %", Part: 0.4, State: "accent"})},
	}
}

// BarsFixture returns a chart's fixture: two outcomes in three hours.
func BarsFixture() component.StackedBars {
	return component.StackedBars{
		ID: "bars", Title: "Calls", Every: 1, Now: 2.5, Slots: []string{"09:00", "10:00", "11:00"},
		Series: []component.ChartSeries{
			{State: "completed", Label: "Completed", Values: []float64{3, 0, 1_700}},
			{State: "failed", Label: "Failed", Values: []float64{1, 0, 0}},
		},
	}
}

func consolePages(l locale.Language) []Exhibit {
	day := dashboard.View{
		ConsolePage: ConsoleFrame(l, "", dashboard.Title.In(l)), Date: "2026-11-21", Zone: "Asia/Riyadh",
		MayCall: true, ByHour: BarsFixture(), NewCallHref: "/console/calls/new",
		Figures: []component.KeyFigure{{Label: "Completed", Value: "12", Note: "of 20"}},
		Needs:   []dashboard.UrgentNeed{{State: "bad", Title: "Lost", Text: "3 <notifications>", Href: "/console/webhook", Do: "Open"}},
	}
	first := day
	first.First, first.Needs, first.Exposed = true, nil, true
	ringing, wired := first, SystemFixture(l)
	ringing.Simulated = false
	wired.Appliances = []system.ApplianceRow{{
		Name: "munadi-1", Address: "10.0.0.1:8080", Here: true, State: "good", StateText: "working", Role: "everything",
		Version: "1.2.0", Model: "svc-stt", Lines: "3 / 30", Queue: "0", Started: wired.Started, Heard: wired.Started,
	}, {Name: "munadi-2", State: "bad", StateText: "unreachable", Note: "no <lease>", Lines: "–", Heard: wired.Started}}
	wired.Simulated, wired.Lines = false, []system.TrunkLine{{
		Since: wired.Started, Trunk: "trunk.example.com:5061 (TLS)", Registers: true, Fault: "nobody <answers>",
	}, {Name: "stc", Prefixes: "+966", Up: true, Since: wired.Started, Calls: "30 / 30", Full: true}}
	return []Exhibit{
		{"console-dashboard", dashboard.Page(day)},
		{"console-dashboard-first", dashboard.Page(first)},
		{"console-dashboard-real", dashboard.Page(ringing)},
		{"console-system", system.Page(SystemFixture(l))},
		{"console-system-line", system.Page(wired)},
	}
}

// SystemFixture returns the system page's fixture.
func SystemFixture(l locale.Language) system.View {
	at := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	return system.View{
		ConsolePage: ConsoleFrame(l, "system", system.Title.In(l)), Started: at, Address: "https://munadi.example", Zone: time.FixedZone("Asia/Riyadh", 3*3600),
		Model: []component.FactLine{{Name: "Name", Value: "svc-stt"}}, Label: []string{"Not for <dictation>."},
		Load: component.SparkLine{ID: "load", Title: "Load"}, Factor: component.SparkLine{ID: "factor", Title: "Factor"},
		Workers: []system.WorkerLine{{Name: "jobs"}, {Name: "webhooks", Fault: true}}, Sources: "ONNX Runtime: MIT",
		Inside: &system.MachineInside{
			Folder: "/var/lib/munadi", Disk: component.FillGauge{Label: "Used", Text: "40 %", Part: 0.4, State: "accent"}, Backups: system.BackupsCard{
				Last: &at, Next: &at, Facts: []component.FactLine{{Name: "Kept", Value: "7"}}, Open: true, Fault: "no <room>",
			},
			Settings: []system.SettingLine{{Name: "listen", Value: "0.0.0.0:80", Default: "127.0.0.1:8080"}, {Name: "lines", Value: "0", Default: "0"}},
			Log: []system.LogLine{
				{At: at, Level: "WARN", Text: `level=WARN msg="<slow>"`}, {Text: "goroutine 1 [running]:"},
			},
		},
	}
}

// momentsAgo are moments as one reads them at 09:41: of the last day relative to then, others exact.
func momentsAgo(l locale.Language) templ.Component {
	now := morningTime(41)
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		ctx = component.WithReader(ctx, l, now)
		for _, ago := range []time.Duration{-time.Minute, 0, time.Minute, 11 * time.Minute, 2 * time.Hour, 24 * time.Hour} {
			if err := component.When(now.Add(-ago), nil).Render(ctx, w); err != nil {
				return err
			}
		}
		return nil
	})
}

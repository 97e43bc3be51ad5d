package reports

import (
	"strconv"
	"time"

	"github.com/a-h/templ"

	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// Path is where the reports lie.
const Path = "/console/reports"

// View is the page of reports.
type View struct {
	layout.ConsolePage
	By, From, To string           // the query: day, week or month; days as YYYY-MM-DD
	Scenario     string           // empty: all
	Faults       []form.Violation // of the query; there is no report then
	Zone         *time.Location
	Scenarios    []component.ListChoice
	CSV          string // address of the same report as a file
	Figures      []component.KeyFigure
	Chart, Hours component.StackedBars
	Periods      []Row
	ByScenario   []Row
	ByCampaign   []Row
	ByCaller     []CallerRow
	CallersCSV   string // address of ByCaller as a file
	Cut          int    // the rows of a report, where older ones were asked for; 0: none were
	BeforeFrom   string // the period that the figures are compared with, as days; empty: none
	BeforeTo     string
	Made         time.Time
}

// WithReportStyle returns the page with the style sheet of reports.
func (p View) WithReportStyle() View {
	p.Styles = append(p.Styles, "css/console-reports.css")
	return p
}

// Row is one row of a report.
type Row struct {
	URL                                             string // link of the row's name; empty: none
	Name                                            string
	Ended, Reached, Confirmed                       int
	Unreached, Failed, Cancelled, Waiting, CalledIn int
	CalledInConfirmed                               int
	Percent                                         string // reached of ended; empty without any
}

// DeclareTable declares a report in a language: the page's tables, whose rows are named by first, and the CSV file.
func DeclareTable(l locale.Language, first locale.Text) list.Table[Row] {
	t := list.Table[Row]{{
		Title: first, Key: first.In(l), Text: func(r Row) string { return r.Name },
		Cell: func(_ list.At, r Row) templ.Component { return rowName(r) },
	}}
	add := func(title locale.Text, count func(Row) int) {
		t = append(t, list.Column[Row]{
			Title: title, Key: title.In(l), Number: true, Text: func(r Row) string { return strconv.Itoa(count(r)) },
			Cell: func(_ list.At, r Row) templ.Component { return figure(locale.FormatCount(count(r))) },
		})
	}
	add(Ended, func(r Row) int { return r.Ended })
	add(Reached, func(r Row) int { return r.Reached })
	t = append(t, list.Column[Row]{
		Title: Percent, Key: Percent.In(l), Number: true, Mono: true, Text: func(r Row) string { return r.Percent },
	})
	add(Confirmed, func(r Row) int { return r.Confirmed })
	add(Unreached, func(r Row) int { return r.Unreached })
	add(Failed, func(r Row) int { return r.Failed })
	add(Cancelled, func(r Row) int { return r.Cancelled })
	add(Waiting, func(r Row) int { return r.Waiting })
	if first != Campaign { // who calls back is among the people of the campaign
		add(CalledIn, func(r Row) int { return r.CalledIn })
		add(CalledInConfirmed, func(r Row) int { return r.CalledInConfirmed })
	}
	return t
}

// CallerRow is the row of a caller number.
type CallerRow struct {
	Number                   string
	Ended, Answered, Reached int
	Percent                  string // answered of ended; empty without any
}

// DeclareCallers declares the table of caller numbers in a language: the page's, and the CSV file.
func DeclareCallers(l locale.Language) list.Table[CallerRow] {
	t := list.Table[CallerRow]{{
		Title: CallerNumber, Key: CallerNumber.In(l), Mono: true, Text: func(r CallerRow) string { return r.Number },
	}}
	add := func(title locale.Text, count func(CallerRow) int) {
		t = append(t, list.Column[CallerRow]{
			Title: title, Key: title.In(l), Number: true, Text: func(r CallerRow) string { return strconv.Itoa(count(r)) },
			Cell: func(_ list.At, r CallerRow) templ.Component { return figure(locale.FormatCount(count(r))) },
		})
	}
	add(Ended, func(r CallerRow) int { return r.Ended })
	add(Answered, func(r CallerRow) int { return r.Answered })
	t = append(t, list.Column[CallerRow]{
		Title: AnswerRate, Key: AnswerRate.In(l), Number: true, Mono: true,
		Text: func(r CallerRow) string { return r.Percent },
	})
	add(Reached, func(r CallerRow) int { return r.Reached })
	return t
}

// queryFields are the fields of the form that chooses a report.
func (p View) queryFields() []form.Field {
	options := func(all []component.ListChoice, none ...form.Option) func(*View) []form.Option {
		for _, c := range all {
			none = append(none, form.Option{Value: c.Value, Name: c.Name})
		}
		return func(*View) []form.Option { return none }
	}
	return form.BindDeclared(form.NewBinder(p.Lang, nil, p.Faults), "", &p, []form.Declared[*View]{
		{
			Name: "by", Label: By, Kind: form.List, Value: func(p *View) any { return &p.By },
			Options: options([]component.ListChoice{
				{Value: "day", Name: Day.In(p.Lang)},
				{Value: "week", Name: Week.In(p.Lang)},
				{Value: "month", Name: Month.In(p.Lang)},
			}),
		},
		{Name: "from", Label: From, Kind: form.Date, Value: func(p *View) any { return &p.From }},
		{Name: "to", Label: To, Kind: form.Date, Value: func(p *View) any { return &p.To }},
		{
			Name: "scenario", Label: Scenario, Kind: form.List, Value: func(p *View) any { return &p.Scenario },
			Options: options(p.Scenarios, form.Option{Name: Every.In(p.Lang)}),
		},
	})
}

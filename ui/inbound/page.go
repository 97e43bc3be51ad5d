package inbound

import (
	"strconv"

	"github.com/a-h/templ"

	"munadi/store/inbound"
	"munadi/store/scenario"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// View is the page of an organization's settings of inbound calls.
type View struct {
	layout.ConsolePage
	component.TableList
	Routes []NamedRoute
	Route  []form.Field // of a new one
	form.ReplacedSetting
	Settings []form.Field
	Caller   []form.Field // a simulated one; none where real telephones ring
	Governs  bool         // the reader may see the calls that were refused
}

func (p View) at() list.At { return list.At{Lang: p.Lang, CSRF: p.CSRF} }

// NamedRoute is a route with the name of its scenario.
type NamedRoute struct {
	inbound.Route
	Scenario string
}

// Table are the routes, on the page and as CSV.
var Table = list.Table[NamedRoute]{
	{Title: locale.KitNumber, Key: "number", Searched: true, Mono: true, Text: func(r NamedRoute) string {
		return r.Number
	}},
	{Title: Scenario, Searched: true, Text: func(r NamedRoute) string { return r.Scenario }},
	{Key: "scenario_id", Searched: true, Text: func(r NamedRoute) string { return r.ScenarioID }},
	{
		Title: Lines, Key: "lines", Text: formatLines,
		Cell: func(at list.At, r NamedRoute) templ.Component { return lineLimit(at.Lang, r) },
	},
	{
		Title: Remove, Acts: true,
		Cell: func(at list.At, r NamedRoute) templ.Component { return removeLink(at.Lang, r.Number) },
	},
}

// formatLines returns a route's limit; empty without one.
func formatLines(r NamedRoute) string {
	if r.Lines == nil {
		return ""
	}
	return strconv.Itoa(*r.Lines)
}

// boundRoute is a new route with the scenarios to choose from.
type boundRoute struct {
	*inbound.Route
	scenarios []scenario.Scenario
}

var routeFields = []form.Declared[boundRoute]{
	{
		Name: "number", Label: locale.KitNumber, Help: NumberHint, Dir: "ltr", Most: 40, Required: true, Fault: BadNumber,
		Value: func(r boundRoute) any { return &r.Number },
	},
	{
		Name: "scenario_id", Label: Scenario, Kind: form.List, Fault: BadScenario, Missing: NoScenario,
		Value:   func(r boundRoute) any { return &r.ScenarioID },
		Options: func(r boundRoute) []form.Option { return scenarioOptions(r.scenarios) },
	},
	{
		Name: "lines", Label: Lines, Help: LinesHint, Kind: form.Number, Dir: "ltr", Fault: BadLines,
		Value: func(r boundRoute) any { return &r.Lines },
	},
}

func scenarioOptions(all []scenario.Scenario) (options []form.Option) {
	for _, s := range all {
		options = append(options, form.Option{Value: s.ID, Name: s.Name})
	}
	return options
}

// BindRoute binds the form of a new route.
func BindRoute(b *form.Binder, r *inbound.Route, scenarios []scenario.Scenario) []form.Field {
	if r.ScenarioID == "" && len(scenarios) > 0 {
		r.ScenarioID = scenarios[0].ID
	}
	return form.BindDeclared(b, "", boundRoute{r, scenarios}, routeFields)
}

var settingFields = []form.Declared[*inbound.Settings]{
	{
		Name: "callback_days", Label: CallbackDays, Help: CallbackHint, Kind: form.Number, Dir: "ltr", Fault: BadDays,
		Value: func(s *inbound.Settings) any { return &s.CallbackDays },
	},
	{
		Name: "closed", Label: Closed, Help: ClosedHint, Kind: form.Area, Most: inbound.MaxClosed, Fault: BadClosed,
		Value: func(s *inbound.Settings) any { return &s.Closed },
	},
}

// BindSettings binds the form of what is not a route.
func BindSettings(b *form.Binder, s *inbound.Settings) []form.Field {
	return form.BindDeclared(b, "", s, settingFields)
}

// SimulatedCaller is what the form of a simulated caller asks for.
type SimulatedCaller struct{ From, To string }

var callerFields = []form.Declared[*SimulatedCaller]{
	{
		Name: "from", Label: From, Help: FromHint, Dir: "ltr", Most: 40, Fault: BadFrom,
		Value: func(c *SimulatedCaller) any { return &c.From },
	},
	{
		Name: "to", Label: To, Dir: "ltr", Most: 40, Required: true, Fault: BadTo,
		Value: func(c *SimulatedCaller) any { return &c.To },
	},
}

// BindCaller binds the form of a simulated caller.
func BindCaller(b *form.Binder, c *SimulatedCaller) []form.Field {
	return form.BindDeclared(b, "", c, callerFields)
}

// DescribeRefusal says what a simulated caller heard.
func DescribeRefusal(l locale.Language, code int) string {
	return locale.FillSentence(Refused.In(l), "code", strconv.Itoa(code))
}

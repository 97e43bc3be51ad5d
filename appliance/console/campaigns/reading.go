package campaigns

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/contactfile"
	"munadi/store/scenario"
	"munadi/ui/campaigns"
	"munadi/ui/component"
	"munadi/ui/locale"
)

// columnStyle is how the ambiguous values of a column are read. The style that the values show is not asked for.
type columnStyle struct {
	order                contactfile.DateOrder
	clock                contactfile.ClockStyle
	knowsOrder, hasClock bool // shown by the values
}

// readStyles sets the style of each column: as its values show, else as chosen on the page.
func (d *campaignDraft) readStyles(c echo.Context) {
	d.styles = make([]columnStyle, len(d.fields))
	for j := range d.fields {
		values := make([]string, len(d.table.Rows))
		for i, row := range d.table.Rows {
			values[i] = row[j]
		}
		style := &d.styles[j]
		if style.order = contactfile.FindOrder(values); style.order == "" {
			style.order = chosenOf(c.FormValue(orderField(j)), contactfile.DayFirst, contactfile.MonthFirst)
		} else {
			style.knowsOrder = true
		}
		if style.clock = contactfile.FindClock(values); style.clock == "" {
			style.clock = chosenOf(c.FormValue(clockField(j)), contactfile.FullClock, contactfile.DaytimeClock)
		} else {
			style.hasClock = true
		}
	}
}

// chosenOf returns the option that a form chose; empty for none.
func chosenOf[T ~string](typed string, options ...T) (none T) {
	for _, one := range options {
		if typed == string(one) {
			return one
		}
	}
	return none
}

// The form fields of a column's style.
func orderField(column int) string { return "order." + strconv.Itoa(column) }
func clockField(column int) string { return "clock." + strconv.Itoa(column) }

// readingRules returns how the cells of a column are read.
func (d *campaignDraft) readingRules(column int, choices []string) contactfile.ReadingRules {
	rules := contactfile.ReadingRules{Region: d.region, Choices: choices, Today: d.today}
	if column < len(d.styles) {
		rules.Order, rules.Clock = d.styles[column].order, d.styles[column].clock
	}
	return rules
}

// doubtQuestions returns the questions about the doubts of all rows, those of each kind and variable together.
func (d *campaignDraft) doubtQuestions(l locale.Language) []campaigns.DoubtQuestion {
	var all []campaigns.DoubtQuestion
	at, counts := map[string]int{}, map[string]int{}
	examples := map[string]booking.UnsureValue{}
	for i := range d.source {
		for _, one := range d.doubts[i] {
			key := one.Confirmation()
			if !one.Doubt.CanConfirm() {
				continue
			}
			if _, known := at[key]; !known {
				at[key], examples[key] = len(all), one
				all = append(all, campaigns.DoubtQuestion{Name: booking.ConfirmField + "." + key, Confirmed: d.confirmed[key]})
			}
			counts[key]++
		}
	}
	for key, i := range at {
		one := examples[key]
		all[i].Text = locale.FillSentence(campaigns.AskAboutMany(l, string(one.Doubt)),
			"name", booking.VariableName(d.plan, one.Variable, l), "count", counts[key],
			"example", booking.ReadableValue(one.Value, l))
	}
	return all
}

// styleQuestions returns the questions about columns whose values can be read in two ways.
func (d *campaignDraft) styleQuestions(l locale.Language) []campaigns.RadioQuestion {
	var all []campaigns.RadioQuestion
	variables := typedVariablesOf(d.plan)
	for j, field := range d.fields {
		kind := contactfile.ValueKind(variables[field].Type)
		for _, row := range d.table.Rows {
			if question, asks := d.styleQuestion(j, row[j], kind, l); asks {
				all = append(all, question)
				break
			}
		}
	}
	return all
}

// styleQuestion returns the question about a column of which this is a value; false if the value is read in one way.
func (d *campaignDraft) styleQuestion(
	column int, text string, kind contactfile.ValueKind, l locale.Language,
) (campaigns.RadioQuestion, bool) {
	rules, style := contactfile.ReadingRules{Region: d.region, Today: d.today}, d.styles[column]
	var options []string
	q, sentence, chosen := campaigns.RadioQuestion{Lead: campaigns.ImportAskLead.In(l)}, "", ""
	switch doubt := contactfile.ReadValue(text, kind, rules).Doubt; {
	case doubt == contactfile.OrderUnknown && !style.knowsOrder:
		options = []string{string(contactfile.DayFirst), string(contactfile.MonthFirst)}
		q.Name, sentence, chosen = orderField(column), campaigns.ImportAskOrder.In(l), string(style.order)
	case doubt == contactfile.ClockUnknown && !style.hasClock:
		options = []string{string(contactfile.DaytimeClock), string(contactfile.FullClock)}
		q.Name, sentence, chosen = clockField(column), campaigns.ImportAskClock.In(l), string(style.clock)
	default:
		return q, false
	}
	q.Text = locale.FillSentence(sentence, "name", d.table.Header[column], "value", text)
	for _, option := range options {
		rules.Order, rules.Clock = contactfile.DateOrder(option), contactfile.ClockStyle(option)
		name := booking.ReadableValue(contactfile.ReadValue(text, kind, rules).Value, l)
		q.Options = append(q.Options, component.ListChoice{Value: option, Name: name, Chosen: option == chosen})
	}
	return q, true
}

// typedVariablesOf returns the variables of a scenario by name, those without a type with the one that its lines show.
func typedVariablesOf(plan scenario.Scenario) map[string]scenario.ScenarioVariable {
	all := map[string]scenario.ScenarioVariable{}
	for _, v := range plan.Variables {
		v.Type = plan.SpokenType(v)
		all[v.Name] = v
	}
	return all
}

package console

import (
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/contactfile"
	"munadi/appliance/hijri"
	"munadi/appliance/service"
	"munadi/store/scenario"
	"munadi/store/strictjson"
	"munadi/ui/campaigns"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// valueDoubt is a value of a booking that is read with a doubt.
type valueDoubt struct {
	variable string
	text     string // as typed; empty: missing
	value    string // as read
	doubt    contactfile.ValueDoubt
}

// confirmation returns the value of the checkbox that confirms values with this doubt.
func (d valueDoubt) confirmation() string { return string(d.doubt) + "." + d.variable }

// explain returns the doubt as a sentence.
func (d valueDoubt) explain(plan scenario.Scenario, l locale.Language) string {
	return locale.FillSentence(campaigns.DoubtAbout(l, string(d.doubt)),
		"name", variableName(plan, d.variable, l), "value", d.text, "read", readableValue(d.value, l))
}

// doubtMessages are the beginnings of a doubt's violation, which the API shows of a skipped row; the text and the value
// follow. From them the campaign's page finds the sentence in its language.
var doubtMessages = map[contactfile.ValueDoubt]string{
	contactfile.Unreadable:   "cannot be read",
	contactfile.NoSuchDay:    "is not a day of the calendar",
	contactfile.RelativeDay:  "depends on the day on which it was written",
	contactfile.HourMissing:  "names no hour",
	contactfile.OrderUnknown: "has day and month in an unknown order",
	contactfile.ClockUnknown: "does not say whether it is in the morning",
	contactfile.YearAssumed:  "has no year",
	contactfile.PastDay:      "has passed",
	contactfile.FarDay:       "is more than two years away",
	contactfile.NightTime:    "is at night",
	contactfile.MissingValue: "is missing, and the call speaks it",
}

// violation returns the doubt as a fault of the row.
func (d valueDoubt) violation() service.FieldViolation {
	message := doubtMessages[d.doubt]
	if d.text != "" {
		message += ": " + d.text + " → " + d.value
	}
	return service.FieldViolation{Field: "variables." + d.variable, Reason: strictjson.Reason(d.doubt), Message: message}
}

// findDoubt returns the doubt of a violation of a variable; false if it is another one.
func findDoubt(variable, message string) (valueDoubt, bool) {
	for doubt, begin := range doubtMessages {
		if rest, is := strings.CutPrefix(message, begin); is && (rest == "" || strings.HasPrefix(rest, ": ")) {
			text, value, _ := strings.Cut(strings.TrimPrefix(rest, ": "), " → ")
			return valueDoubt{variable, text, value, doubt}, true
		}
	}
	return valueDoubt{}, false
}

// variableName returns the display name of a variable.
func variableName(plan scenario.Scenario, name string, l locale.Language) string {
	for _, v := range plan.Variables {
		if v.Name == name {
			return scenarios.LabelText(l, v.Label, name)
		}
	}
	return name
}

// readableValue returns a value as people read it: a day in both calendars; any other value as it is.
func readableValue(value string, l locale.Language) string {
	day, err := time.Parse(time.DateOnly, value)
	if err != nil {
		return value
	}
	text := locale.DayText(l, day)
	if h, ok := hijri.FromGregorian(day); ok {
		text += " (" + locale.HijriText(l, h.Year, h.Month, h.Day) + ")"
	}
	return text
}

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

// confirmField is the form field that confirms doubtful values: of a single booking all of them, separated by
// spaces; of a campaign one field for each kind and variable.
const confirmField = "confirm"

// readConfirmed returns the doubts that a form confirms.
func readConfirmed(c echo.Context) map[string]bool {
	confirmed := map[string]bool{}
	form, err := c.FormParams()
	if err != nil {
		return confirmed
	}
	for _, one := range strings.Fields(form.Get(confirmField)) {
		confirmed[one] = true
	}
	for field := range form {
		if one, is := strings.CutPrefix(field, confirmField+"."); is {
			confirmed[one] = true
		}
	}
	return confirmed
}

// readingRules returns how the cells of a column are read.
func (d *campaignDraft) readingRules(column int, choices []string) contactfile.ReadingRules {
	rules := contactfile.ReadingRules{Region: d.region, Choices: choices, Today: d.today}
	if column < len(d.styles) {
		rules.Order, rules.Clock = d.styles[column].order, d.styles[column].clock
	}
	return rules
}

// missingValues returns doubts for the values that a call speaks and a booking lacks. Required ones are left out, since
// the booking is refused without them.
func missingValues(spoken []scenario.ScenarioVariable, given map[string]any) []valueDoubt {
	var found []valueDoubt
	for _, v := range spoken {
		if value := given[v.Name]; !v.Required && (value == nil || value == "") {
			found = append(found, valueDoubt{variable: v.Name, doubt: contactfile.MissingValue})
		}
	}
	return found
}

// unconfirmed returns the doubts that forbid a booking: those that nobody confirmed or can confirm.
func unconfirmed(all []valueDoubt, confirmed map[string]bool) []valueDoubt {
	var left []valueDoubt
	for _, one := range all {
		if !one.doubt.CanConfirm() || !confirmed[one.confirmation()] {
			left = append(left, one)
		}
	}
	return left
}

// doubtQuestions returns the questions about the doubts of all rows, those of each kind and variable together.
func (d *campaignDraft) doubtQuestions(l locale.Language) []campaigns.DoubtQuestion {
	var all []campaigns.DoubtQuestion
	at, counts := map[string]int{}, map[string]int{}
	examples := map[string]valueDoubt{}
	for i := range d.table.Rows {
		for _, one := range d.doubts[i] {
			key := one.confirmation()
			if !one.doubt.CanConfirm() {
				continue
			}
			if _, known := at[key]; !known {
				at[key], examples[key] = len(all), one
				all = append(all, campaigns.DoubtQuestion{Name: confirmField + "." + key, Confirmed: d.confirmed[key]})
			}
			counts[key]++
		}
	}
	for key, i := range at {
		one := examples[key]
		all[i].Text = locale.FillSentence(campaigns.AskAboutMany(l, string(one.doubt)),
			"name", variableName(d.plan, one.variable, l), "count", counts[key], "example", readableValue(one.value, l))
	}
	return all
}

// styleQuestions returns the questions about columns whose values can be read in two ways.
func (d *campaignDraft) styleQuestions(l locale.Language) []campaigns.StyleQuestion {
	var all []campaigns.StyleQuestion
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
) (campaigns.StyleQuestion, bool) {
	rules, style := contactfile.ReadingRules{Region: d.region, Today: d.today}, d.styles[column]
	var options []string
	q, sentence, chosen := campaigns.StyleQuestion{}, "", ""
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
		name := readableValue(contactfile.ReadValue(text, kind, rules).Value, l)
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

package campaigns

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/contactfile"
	"munadi/appliance/service"
	"munadi/store/campaign"
	"munadi/store/scenario"
	"munadi/ui/campaigns"
	"munadi/ui/component"
	"munadi/ui/locale"
)

// The form fields of a row choice.
const (
	sharedField = "shared"
	twoField    = "two_numbers"
)

// Who is called of several people with one number, and which number of a cell that has two.
const (
	callEach    = "each"
	callOnce    = "once"
	callFirst   = "first"
	callSecond  = "second"
	callBoth    = "both"
	secondDelay = 15 * time.Minute // between the calls to both numbers of a person
)

// twoNumbersMessage is the violation of a cell with two numbers of which none was chosen.
const twoNumbersMessage = "has two numbers, of which none is chosen"

// rowChoice is what the clerk chose for rows from which one call does not follow; empty fields are not chosen yet.
type rowChoice struct{ shared, two string }

// readRowChoice reads the choices of a form.
func readRowChoice(c echo.Context) rowChoice {
	return rowChoice{
		shared: chosenOf(c.FormValue(sharedField), callEach, callOnce),
		two:    chosenOf(c.FormValue(twoField), callFirst, callSecond, callBoth),
	}
}

// contactRows returns the rows of a campaign as booking input: one of each row of the table, or two of a row with two
// numbers that are both called, none of a total. A row with a doubtful value that nobody confirmed has it as a
// Violation, unless its number is faulty, which comes first.
func (d *campaignDraft) contactRows() []service.CampaignRow {
	var rows []service.CampaignRow
	variables, spoken := typedVariablesOf(d.plan), d.plan.SpokenVariables()
	d.doubts, d.source, d.totals = map[int][]booking.UnsureValue{}, nil, nil
	names := contactfile.FindNameColumn(d.table)
	for i, cells := range d.table.Rows {
		row, doubts, two := d.readRow(cells, variables)
		row.FileRow = campaign.FileRow{Sheet: d.table.Sheet, Row: d.table.Numbers[i], Name: d.plan.PersonName(row.Variables)}
		if row.Name == "" && names >= 0 {
			row.Name = cells[names]
		}
		_, callable := contactfile.NormalizeNumber(row.PhoneNumber, d.region)
		if total := contactfile.FindTotalLabel(cells); total != "" && !callable && two == nil {
			d.totals = append(d.totals, campaign.SkippedRow{
				FileRow: campaign.FileRow{Row: row.Row, Name: strings.Join(slices.DeleteFunc(slices.Clone(cells), isEmpty), " · ")},
			})
			continue
		}
		if callable {
			doubts = append(doubts, booking.MissingValues(spoken, row.Variables)...)
			for _, one := range booking.ListUnconfirmed(doubts, d.confirmed) {
				row.Violations = append(row.Violations, one.Violation())
			}
			d.doubts[len(rows)] = doubts
		}
		rows, d.source = append(rows, row), append(d.source, i)
		if two != nil && d.choice.two == callBoth {
			row.PhoneNumber, row.Delay, row.Violations = two[1], secondDelay, slices.Clone(row.Violations)
			rows, d.source = append(rows, row), append(d.source, i)
		}
	}
	return rows
}

func isEmpty(cell string) bool { return cell == "" }

// readRow reads the cells of a row: its number, or the one that is called first of two, and its values.
func (d *campaignDraft) readRow(cells []string, variables map[string]scenario.ScenarioVariable) (
	row service.CampaignRow, doubts []booking.UnsureValue, two []string,
) {
	row = service.CampaignRow{Variables: map[string]any{}, Metadata: map[string]string{}}
	for j, field := range d.fields {
		switch value := cells[j]; {
		case field == "" || value == "":
		case field == contactfile.PhoneField:
			two = d.readNumber(value, &row)
		case field == metadataField:
			row.Metadata[truncateHeader(d.table.Header[j])] = value
		default:
			v := variables[field]
			read := contactfile.ReadValue(value, contactfile.ValueKind(v.Type), d.readingRules(j, v.Choices))
			if row.Variables[field] = read.Value; read.Doubt != "" {
				doubts = append(doubts, booking.UnsureValue{
					Variable: field, Text: value, Value: read.Value, Doubt: read.Doubt,
				})
			}
		}
	}
	return row, doubts, two
}

// readNumber reads a cell with a number, and returns both if it has two.
func (d *campaignDraft) readNumber(text string, row *service.CampaignRow) (two []string) {
	number, ok := contactfile.NormalizeNumber(text, d.region)
	row.PhoneNumber = number
	if ok {
		return nil
	}
	switch two = contactfile.SplitNumbers(text, d.region); {
	case two == nil:
	case d.choice.two == "":
		row.Violations.AddViolation(contactfile.PhoneField, twoNumbersMessage)
	case d.choice.two == callSecond:
		row.PhoneNumber = two[1]
	default:
		row.PhoneNumber = two[0]
	}
	return two
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

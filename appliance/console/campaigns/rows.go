package campaigns

import (
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/contactfile"
	"munadi/appliance/service"
	"munadi/store/campaign"
	"munadi/store/scenario"
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

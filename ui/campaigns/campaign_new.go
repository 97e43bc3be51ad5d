package campaigns

import (
	"strconv"

	"github.com/a-h/templ"

	"munadi/store/campaign"
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
	"munadi/ui/rules"
)

// CampaignUpload is the first step of a campaign: its file.
type CampaignUpload struct {
	layout.ConsolePage
	Fault       string
	Fields      FileFields
	KnownRegion bool // the country was chosen before
	Proposed    rules.Proposals
}

// CampaignDraft is passed from step to step in hidden fields, since nothing is stored before a campaign starts.
type CampaignDraft struct {
	ID       string // of the campaign to be made
	Table    string // packed rows of the file
	File     string // its name
	Region   string
	Scenario string
	Fields   []string // of each column
}

// CampaignColumns is the second step: the column mapping.
type CampaignColumns struct {
	layout.ConsolePage
	Draft      CampaignDraft
	Fault      string
	Rows       int
	Remembered bool
	Scenario   form.Field
	Region     form.Field
	Columns    []ColumnChoice
}

// ColumnChoice is a column of the file with the field that it is mapped to.
type ColumnChoice struct {
	Header  string
	Samples []string
	Field   form.Field
}

// columnTable are the columns of a file.
var columnTable = list.Table[ColumnChoice]{
	{Title: NewColumn, Text: func(c ColumnChoice) string { return c.Header }},
	{Title: NewSamples, Cell: func(_ list.At, c ColumnChoice) templ.Component { return columnSamples(c.Samples) }},
	{Title: NewHolds, Cell: func(at list.At, c ColumnChoice) templ.Component { return columnField(at.Lang, c) }},
}

// CampaignCheck is the third step: faulty rows, and the settings.
type CampaignCheck struct {
	layout.ConsolePage
	Draft      CampaignDraft
	Good, Bad  int
	Labels     []string // of the columns that are used
	Rows       []FaultyRow
	Duplicates []campaign.SkippedRow
	Totals     []campaign.SkippedRow // rows that are totals of others, with their text as Name
	Suppressed []campaign.SkippedRow
	Settings   []form.Field
	Faults     map[string]string // of what is not a setting
	Scenario   string
	Days       []calls.OpenDay
	Questions  []RadioQuestion
	Doubts     []DoubtQuestion
	Preview    CampaignPreview
	Start      string // what the start does: who is called, with which scenario, in which hours
}

// RadioQuestion asks how rows are taken that can be taken in several ways.
type RadioQuestion struct {
	Name     string // of the radio buttons
	Text     string
	Lead     string // what follows from the choice
	Shared   []SharedNumber
	Options  []component.ListChoice
	Required bool // nothing is taken for granted
	Fault    string
}

// SharedNumber is a number with the rows of the people who share it.
type SharedNumber struct {
	Number string
	Rows   []campaign.FileRow
}

// SheetChoice asks for the sheet of a workbook.
type SheetChoice struct {
	layout.ConsolePage
	Draft  CampaignDraft
	Fault  string // why another sheet is not offered
	Sheets []SheetRows
}

// SheetRows is a sheet with the number of its rows.
type SheetRows struct {
	Name string
	Rows int
}

// DoubtQuestion asks whether rows with doubtful values are called as they are.
type DoubtQuestion struct {
	Name      string // of the checkbox
	Text      string
	Confirmed bool
}

// CampaignPreview shows ready rows as their calls will speak.
type CampaignPreview struct {
	Find        string // text that the rows contain
	Ready       int    // number of rows, of all pages
	From, Shown int    // the rows of this page: from From (inclusive, from 0) to Shown
	Back, Next  int    // From of the pages before and after
	Rows        []PreviewedRow
}

// PreviewedRow is a row, and what its call says up to its first question.
type PreviewedRow struct {
	Number int // in the file
	Phone  string
	Values []PreviewedValue
	Lines  []PreviewedLine
	Sound  string // URL
	Failed bool   // what the call says is unknown
}

// PreviewedValue is a value of a call.
type PreviewedValue struct{ Label, Text string }

// PreviewedLine is a line of a call; a silent one is left out, since no voice can say it.
type PreviewedLine struct {
	Text   string
	Silent bool
}

// FaultyRow is a row that cannot be booked as it is.
type FaultyRow struct {
	Number int // in the file
	Cells  []FaultyCell
	Fault  string
}

// FaultyCell is a cell of a faulty row.
type FaultyCell struct {
	Name  string // of the form's field
	Value string
	Bad   bool // the fault is here
}

// faultyTable are faulty rows with their cells to correct.
func (p CampaignCheck) faultyTable() list.Table[FaultyRow] {
	table := list.Table[FaultyRow]{
		{Title: NewRow, Mono: true, Text: func(r FaultyRow) string { return strconv.Itoa(r.Number) }},
	}
	for i, label := range p.Labels {
		table = append(table, list.Column[FaultyRow]{
			Title: locale.Text{label, label},
			Cell:  func(at list.At, r FaultyRow) templ.Component { return faultyCell(at.Lang, label, r, r.Cells[i]) },
		})
	}
	return append(table, list.Column[FaultyRow]{
		Title: NewProblem, Cell: func(_ list.At, r FaultyRow) templ.Component { return rowFault(r.Fault) },
	})
}

// hiddenFaults is how many faulty rows are not shown.
func (p CampaignCheck) hiddenFaults() int { return p.Bad - len(p.Rows) }

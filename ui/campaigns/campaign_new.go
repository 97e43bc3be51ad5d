package campaigns

import (
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/rules"
)

// CampaignUpload is the first step of a campaign: its file.
type CampaignUpload struct {
	layout.ConsolePage
	Fault       string
	Scenarios   []component.ListChoice
	Regions     []component.ListChoice
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
	Scenarios  []component.ListChoice
	Regions    []component.ListChoice
	Columns    []ColumnChoice
}

// ColumnChoice is a column of the file with the fields that it may be mapped to.
type ColumnChoice struct {
	Name    string // of the field
	Header  string
	Samples []string
	Options []component.ListChoice
}

// CampaignCheck is the third step: faulty rows, and the settings.
type CampaignCheck struct {
	layout.ConsolePage
	Draft      CampaignDraft
	Good, Bad  int
	Labels     []string // of the columns that are used
	Rows       []FaultyRow
	Duplicates []SkippedLine
	Suppressed []SkippedLine
	Settings   CampaignSettings
	Faults     map[string]string // by the setting's name
	Scenario   string
	Zone       string
	Earliest   string // of the start, as a datetime-local field has it
	Latest     string
	Days       []calls.OpenDay
	Styles     []StyleQuestion
	Doubts     []DoubtQuestion
	Preview    CampaignPreview
	Start      string // what the start does: who is called, with which scenario, in which hours
}

// StyleQuestion asks how the values of a column are read, which can be read in two ways.
type StyleQuestion struct {
	Name    string // of the radio buttons
	Text    string
	Options []component.ListChoice
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

// CampaignSettings are the settings as typed.
type CampaignSettings struct {
	Name, At, Ends, Pace, Lines, Caller, Tries, Delays string
	Later, Paused                                      bool
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

// hiddenFaults is how many faulty rows are not shown.
func (p CampaignCheck) hiddenFaults() int { return p.Bad - len(p.Rows) }

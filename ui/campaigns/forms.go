package campaigns

import (
	"github.com/a-h/templ"

	"munadi/ui/calls"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// FileChoice is what the import asks of a file, and what there is to choose from.
type FileChoice struct {
	Pasted             string // rows, instead of a file
	Scenario, Region   string // the scenario's id; ISO 3166
	Scenarios, Regions []form.Option
}

var fileFields = []form.Declared[*FileChoice]{
	{
		Name: "file", Label: NewFile, Help: NewFileHint, Kind: form.File,
		Attributes: templ.Attributes{"accept": ".xlsx,.csv,.txt,.tsv,text/csv"},
	},
	{
		Name: "pasted", Label: NewPasted, Help: NewPastedHint, Kind: form.Area,
		Value: func(c *FileChoice) any { return &c.Pasted }, Attributes: templ.Attributes{"rows": "6"},
	},
	{
		Name: "scenario", Label: NewScenario, Kind: form.List, Value: func(c *FileChoice) any { return &c.Scenario },
		Options: func(c *FileChoice) []form.Option { return c.Scenarios }, Missing: calls.BadScenario,
		Attributes: templ.Attributes{"data-submit": "other"},
	},
	{
		Name: "region", Label: NewRegion, Help: NewRegionHint, Kind: form.List,
		Value:   func(c *FileChoice) any { return &c.Region },
		Options: func(c *FileChoice) []form.Option { return c.Regions }, Missing: NewRegion,
	},
}

// FileFields are the inputs of a file of people, its scenario and the country of its numbers.
type FileFields struct{ File, Pasted, Scenario, Region form.Field }

// BindFile binds the form of a file.
func BindFile(b *form.Binder, c *FileChoice) FileFields {
	all := form.BindDeclared(b, "", c, fileFields)
	return FileFields{all[0], all[1], all[2], all[3]}
}

// BindColumn binds the field that a column holds; name is that of the input.
func BindColumn(b *form.Binder, name string, field *string, options []form.Option) form.Field {
	return form.BindDeclared(b, "", field, []form.Declared[*string]{{
		Name: name, Label: NewHolds, Kind: form.List, Value: func(f *string) any { return f },
		Options: func(*string) []form.Option { return options }, Missing: NewIgnore,
	}})[0]
}

// CampaignSettings are the settings as typed.
type CampaignSettings struct {
	Name             string
	At, Ends         string // YYYY-MM-DDTHH:MM by the organization's clock; empty: at once, never
	Pace, Lines      string
	Caller           string
	Tries            string
	Delays           string
	Paused           bool
	Zone             string // of At and Ends
	Earliest, Latest string // of At
}

// BindSettings binds the settings of a campaign.
func BindSettings(b *form.Binder, s *CampaignSettings) []form.Field {
	ends := locale.Text{}
	for i, help := range NewEndsHint {
		ends[i] = locale.FillSentence(help, "zone", s.Zone)
	}
	return form.BindDeclared(b, "", s, []form.Declared[*CampaignSettings]{
		{Name: "name", Label: NewName, Most: 200, Required: true, Value: func(s *CampaignSettings) any { return &s.Name }},
		{
			Name: "at", Label: NewWhen, Help: NewAtHint, Kind: form.Moment,
			Value:      func(s *CampaignSettings) any { return &s.At },
			Attributes: templ.Attributes{"min": s.Earliest, "max": s.Latest},
		},
		{
			Name: "ends", Label: NewEnds, Help: ends, Kind: form.Moment, Value: func(s *CampaignSettings) any { return &s.Ends },
			Attributes: templ.Attributes{"min": s.Earliest},
		},
		{
			Name: "pace", Label: NewPace, Help: NewPaceHint, Kind: form.Number,
			Value: func(s *CampaignSettings) any { return &s.Pace }, Attributes: numberFrom1To("6000"),
		},
		{
			Name: "lines", Label: NewLines, Help: NewLinesHint, Kind: form.Number,
			Value: func(s *CampaignSettings) any { return &s.Lines }, Attributes: numberFrom1To("1000"),
		},
		{
			Name: "caller", Label: NewCaller, Help: NewCallerHint, Kind: form.Phone, Most: 40,
			Value: func(s *CampaignSettings) any { return &s.Caller },
		},
		{
			Name: "max_attempts", Label: NewTries, Kind: form.Number, Value: func(s *CampaignSettings) any { return &s.Tries },
			Attributes: numberFrom1To("10"),
		},
		{
			Name: "delay_minutes", Label: NewDelays, Help: calls.DelaysHint, Dir: "ltr", Most: 80,
			Value: func(s *CampaignSettings) any { return &s.Delays }, Attributes: templ.Attributes{"inputmode": "numeric"},
		},
		{Name: "paused", Label: NewPaused, Kind: form.Check, Value: func(s *CampaignSettings) any { return &s.Paused }},
	})
}

// numberFrom1To returns the attributes of a whole number.
func numberFrom1To(most string) templ.Attributes {
	return templ.Attributes{"min": "1", "max": most, "step": "1"}
}

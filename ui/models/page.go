package models

import (
	"github.com/a-h/templ"

	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// CardView is the part of the system page about speech models; for governors.
type CardView struct {
	Job       *JobView // nil: none
	Installed []InstalledRow
	Known     []KnownRow
	Fixed     string        // the setting that takes precedence; empty: none
	Hub       string        // its address
	Demo      bool          // the built-in model serves
	Shared    *SharedModels // nil: models are of this appliance alone
}

// SharedModels is the status of the models in the shared bucket.
type SharedModels struct {
	Bucket    string
	Count     int    // of models in the bucket
	Moving    string // the sentence about a running transfer; empty: none
	Percent   int    // of it
	Away      bool   // the bucket does not answer
	Problems  []SharedProblem
	NeverSeen bool // the bucket has not been looked into yet
}

// SharedProblem is a fault of a shared model.
type SharedProblem struct {
	Text   string
	Detail string // in English, from the program or the bucket; may be empty
}

// JobView is an installation that runs, or the last one.
type JobView struct {
	Name, Phase   string
	Fault, Detail string // why it was not installed, and what the program or the hub said, in English
	Done, Size    string // of the download, as people read them; empty: not known
	Percent       int    // downloaded
	Compared      string // how an installed 8-bit form differs from its original; empty: not compared
	Offline       bool   // the hub could not be reached
	InUse         bool   // the model serves already
}

// IsActive reports whether the installation is running.
func (j JobView) IsActive() bool { return j.Phase == "fetching" || j.Phase == "testing" }

// badgeState returns the state that gives the phase its icon and colour.
func (j JobView) badgeState() string {
	return map[string]string{
		"fetching": "in_progress", "testing": "in_progress", "installed": "good", "failed": "bad",
	}[j.Phase]
}

// InstalledRow is a model to choose from. The built-in one has no Size and cannot be removed.
type InstalledRow struct {
	Name, Title, Size, From, License string
	Measured                         string // measurements on this machine; empty: none
	Compared                         string // of an 8-bit form: how it differs from its original; empty: not compared
	Quantizable                      bool   // it has an original's weights, and no 8-bit form is installed
	InUse, BuiltIn                   bool
}

// installedTable returns the table of models to choose from; fixed says that a setting chooses.
func installedTable(fixed bool) list.Table[InstalledRow] {
	return list.Table[InstalledRow]{
		{Title: Name, Text: func(r InstalledRow) string { return r.Title }},
		{Title: locale.KitState, Cell: func(at list.At, r InstalledRow) templ.Component {
			return modelState(at.Lang, r.InUse)
		}},
		{Title: Size, Mono: true, Text: func(r InstalledRow) string { return r.Size }},
		{Title: From, Class: "model-from", Text: func(r InstalledRow) string { return r.From }},
		{Title: Measured, Cell: func(_ list.At, r InstalledRow) templ.Component { return measurements(r) }},
		{Title: Actions, Acts: true, Cell: func(at list.At, r InstalledRow) templ.Component {
			return modelActs(at, r, fixed)
		}},
	}
}

// KnownRow is a model that is known to work.
type KnownRow struct {
	Name, About, License, Size, Languages string
	Rates                                 []string
	Installed                             bool
}

// OfferView is the page about a model on the hub, before it is installed.
type OfferView struct {
	layout.ConsolePage
	Asked     string // the name that was typed
	Fault     string
	Detail    string // in English, from the program or the hub
	Offline   bool   // the hub could not be reached
	Hub       string
	Model     string // organization/name; empty: not found
	Revision  string
	License   string
	Size      string
	Card      string
	Files     []component.FactLine
	Rates     []string
	Name      string // to install under
	NameFault string
	English   bool // the list marks it as not Arabic
	Busy      bool // another installation runs
}

// TrialView is the page that compares a model with the serving one.
type TrialView struct {
	layout.ConsolePage
	Name   string
	Fault  string
	Result *Heard // nil: no result yet
	InUse  bool
}

// Heard are the transcripts of two models.
type Heard struct {
	Seconds        string
	Serving, Other HeardLine
}

// HeardLine is the transcript of one model, and how long it took.
type HeardLine struct{ Model, Text, Took string }

// PitchView offers the recommended model where the built-in one serves; nil: it is not offered.
type PitchView struct{ Model, License, Size string }

// WithStyle adds the style and script of the pages about models.
func WithStyle(p layout.ConsolePage) layout.ConsolePage {
	p.Styles = append(p.Styles, "css/console-models.css")
	p.Module = "js/console-models.js"
	return p
}

// asksForModel reports whether what adds a model is shown unfolded: only the built-in model serves, or the hub was not
// reached.
func (m CardView) asksForModel() bool { return m.Demo || m.Job != nil && m.Job.Offline }

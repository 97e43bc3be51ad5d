package system

import (
	"time"

	"github.com/a-h/templ"

	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/models"
	"munadi/ui/voices"
)

// View is the page about the appliance itself.
type View struct {
	layout.ConsolePage
	Started   time.Time
	Address   string
	Encrypted string               // how, or that it is not
	Local     bool                 // the appliance makes its own certificates
	Model     []component.FactLine // empty: it is being loaded
	Label     []string
	Lines     []TrunkLine // none: calls are simulated, or wait for a trunk to be set
	Workers   []WorkerLine
	Speed     component.KeyFigure // of the recognizer in the last hour
	Load      component.SparkLine
	Factor    component.SparkLine
	Inside    *MachineInside // shown only to users who govern the appliance
	// Appliances share the database with this one, which is among them; for governors, and none with the embedded one.
	Appliances []ApplianceRow
	Models     *models.CardView // for governors; nil for others
	Voices     *voices.CardView // the same
	Sources    string
	Zone       *time.Location
}

// TrunkLine is the way to the telephone network.
type TrunkLine struct {
	Name       string // of one of several
	Prefixes   string // of the numbers that one of several serves; empty: all
	Up         bool
	Unheard    bool // nothing has answered since it was opened
	Since      time.Time
	Trunk      string // where calls go; for governors alone
	Registers  bool
	Registered *time.Time // nil: not now
	Fault      string     // for governors alone
}

// MachineInside is the machine below the service.
type MachineInside struct {
	Folder   string
	Sizes    []component.FactLine
	Disk     component.FillGauge
	Backups  BackupsCard
	Settings []SettingLine
	Log      []string
}

// BackupsCard is the state of the nightly backups.
type BackupsCard struct {
	Last  *time.Time // nil: none yet
	Next  *time.Time // nil: none is made
	Facts []component.FactLine
	Busy  bool   // one is being made
	Open  bool   // they are not encrypted
	Fault string // the fault, as in the log
}

// WorkerLine is a background worker with its health.
type WorkerLine struct {
	Name  string
	Fault bool
}

// SettingLine is one effective setting.
type SettingLine struct {
	Name, Value, Default string
}

// IsChanged reports whether the setting differs from its default.
func (s SettingLine) IsChanged() bool { return s.Value != s.Default }

var settingTable = list.Table[SettingLine]{
	{Title: Setting, Mono: true, Text: func(s SettingLine) string { return s.Name }},
	{Title: Value, Mono: true, Text: func(s SettingLine) string { return s.Value }},
	{Title: Default, Class: "muted", Cell: func(_ list.At, s SettingLine) templ.Component { return settingDefault(s) }},
}

// markChanged marks the row of a setting that differs from its default.
func markChanged(s SettingLine) templ.Attributes {
	if !s.IsChanged() {
		return nil
	}
	return templ.Attributes{"class": "changed"}
}

// pageFrame returns the page's frame; a governor's has the scripts for models.
func (p View) pageFrame() layout.ConsolePage {
	if p.Models == nil {
		return p.ConsolePage
	}
	return models.WithStyle(p.ConsolePage)
}

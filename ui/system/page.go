package system

import (
	"cmp"
	"slices"
	"strings"
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
	Calls      string // of its lines, such as "2 / 30"
	Full       bool   // all are in use
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
	Log      []LogLine // the newest first
}

// LogLine is a line of the log.
type LogLine struct {
	At    time.Time // zero: the line has none
	Level string    // INFO, WARN, ERROR
	Text  string    // what follows the time
}

// stamp returns the line's time as the log has it, in UTC.
func (l LogLine) stamp() string { return l.At.UTC().Format("2006-01-02T15:04:05.000Z") }

// clock returns the line's time in a zone, to the second.
func (l LogLine) clock(zone *time.Location) string { return l.At.In(zone).Format("01-02 15:04:05") }

// BackupsCard is the state of the nightly backups.
type BackupsCard struct {
	Last  *time.Time // nil: none yet
	Next  *time.Time // nil: none is made
	Facts []component.FactLine
	Busy  bool   // one is being made
	Open  bool   // they are not encrypted
	Fault string // the fault, as in the log
}

// need is something that a person should look after, with the address of the part of the page about it.
type need struct{ State, Text, Link string }

// needs returns what a person should look after, the worst first.
func (p View) needs() []need {
	l, all := p.Lang, p.machineNeeds()
	for _, line := range p.Lines {
		if !line.Up {
			all = append(all, need{"bad", joinWords(Line.In(l), line.Name, LineDown.In(l)), "#line"})
		}
	}
	if len(p.Lines) == 0 && !p.Simulated {
		all = append(all, need{"bad", NoTrunk.In(l), "#line"})
	}
	for _, worker := range p.Workers {
		if worker.Fault {
			all = append(all, need{"bad", joinWords(Health.In(l), WorkerName(l, worker.Name), Stumbles.In(l)), "#workers"})
		}
	}
	for _, a := range p.Appliances {
		if a.State != "good" {
			all = append(all, need{a.State, joinWords(AppliancesName.In(l), a.Name, a.StateText), "#appliances"})
		}
	}
	slices.SortStableFunc(all, func(a, b need) int { return cmp.Compare(a.State, b.State) }) // bad, warn
	return all
}

// machineNeeds returns those of the disk and of the backups.
func (p View) machineNeeds() (all []need) {
	if p.Inside == nil {
		return nil
	}
	if p.Inside.Disk.State == "failed" {
		all = append(all, need{"bad", DiskLow.In(p.Lang), "#storage"})
	}
	switch b := p.Inside.Backups; {
	case b.Fault != "":
		all = append(all, need{"bad", BackupFails.In(p.Lang), "#backups"})
	case b.Next == nil:
		all = append(all, need{"warn", BackupOff.In(p.Lang), "#backups"})
	case b.Open:
		all = append(all, need{"warn", BackupPlain.In(p.Lang), "#backups"})
	}
	return all
}

// joinWords joins what is named and what is said of it; an empty part is left out.
func joinWords(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
}

// anyWorkerFails reports whether one of the workers is being restarted.
func (p View) anyWorkerFails() bool {
	return slices.ContainsFunc(p.Workers, func(w WorkerLine) bool { return w.Fault })
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

package page

import (
	"time"

	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// System is the page about the appliance itself.
type System struct {
	shell.ConsolePage
	Started   time.Time
	Address   string
	Encrypted string // how, or that it is not
	Local     bool   // the appliance makes its own certificates
	Model     []Fact // empty: it is being loaded
	Label     []string
	Line      *Line // nil: calls are simulated
	Workers   []Worker
	Inside    *Inside // what only a governor sees
	Sources   string
	Zone      *time.Location
}

// Line is the way to the telephone network.
type Line struct {
	Up         bool
	Since      time.Time
	Trunk      string // where calls go; for governors alone
	Registers  bool
	Registered *time.Time // nil: not now
	Fault      string     // for governors alone
}

// Inside is the machine below the service.
type Inside struct {
	Folder   string
	Sizes    []Fact
	Disk     part.Gauge
	Backups  Backups
	Settings []Setting
	Log      []string
}

// Backups is how it stands with the nightly backups.
type Backups struct {
	Last  *time.Time // nil: none yet
	Next  *time.Time // nil: none is made
	Facts []Fact
	Busy  bool   // one is being made
	Open  bool   // they are not encrypted
	Fault string // what is wrong, as the log has it
}

// Fact is one line of a list of facts. Values are for people and programs alike, left to right.
type Fact struct{ Name, Value string }

// Worker is a part of the service and whether it stumbles.
type Worker struct {
	Name  string
	Fault bool
}

// Setting is one setting in force.
type Setting struct {
	Name, Value, Default string
}

// Changed says that somebody set it.
func (s Setting) Changed() bool { return s.Value != s.Default }

func (p System) words() text.System { return text.SystemIn(p.Lang) }

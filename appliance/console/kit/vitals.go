package kit

import (
	"fmt"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/monitor/vitals"
	"munadi/engine"
	"munadi/ui/locale"
)

// ApplianceVitals are the appliance's figures for the dashboard and the system page, at one moment.
type ApplianceVitals struct {
	Started time.Time
	Model   *engine.EngineInfo // nil while it is loaded
	// Speakers and Conversations are how many the machine can recognize at once in real time; 0: not measured yet.
	Speakers, Conversations int
	Trunks                  []TrunkVitals             // SIP trunks; none with the simulator
	Lines                   int                       // concurrent call limit
	Held                    int                       // running calls
	Queue                   int                       // queued jobs of the recognizer
	Load                    []vitals.RecognizerSample // the last hour, oldest first
	Workers                 []WorkerState
	Sources                 string // licences and sources of bundled software

	Data       string
	Free, Disk uint64 // bytes, of the data folder's file system
	Database   int64  // bytes
	Recordings int64
	Backups    BackupVitals
	Settings   []config.InForce // without secrets
	Log        []string         // last lines
}

// TrunkVitals is a SIP trunk's status.
type TrunkVitals struct {
	Name       string
	Prefixes   []string // number prefixes that it serves; none: all
	Address    string   // host, port and transport
	Up         bool     // calls are dialled; otherwise they wait
	Unheard    bool     // nothing has answered since it was opened: whether it takes calls is not known
	Since      time.Time
	Calls      int        // dialled or up
	Lines      int        // maximum of these
	Registers  bool       // registration is configured
	Registered *time.Time // expiry of the registration; nil: not registered
	Fault      string     // why calls wait, with the remedy
	// Cause and Answer of refused calls, see [locale.DescribeRefusal]; empty if the trunk does not refuse them.
	Cause, Answer string
	IsStored      bool // it was made in the console, not in the settings
}

// DescribeFault returns why calls wait, with the remedy; empty if they do not.
func (t TrunkVitals) DescribeFault(l locale.Language) string {
	if t.Cause != "" {
		said := locale.DescribeRefusal(l, t.Cause, t.Answer, t.IsStored)
		return said.What + " " + said.Do
	}
	return locale.TrunkFault(l, t.Fault, t.IsStored)
}

// CountCalls returns how many of its lines a trunk uses, such as "2 / 30".
func (t TrunkVitals) CountCalls() string { return fmt.Sprintf("%d / %d", t.Calls, t.Lines) }

// IsFull reports whether all lines of a trunk that takes calls are in use: the next call waits.
func (t TrunkVitals) IsFull() bool { return t.Up && t.Lines > 0 && t.Calls >= t.Lines }

// BackupVitals is the state of nightly backups.
type BackupVitals struct {
	Folder string
	Last   *time.Time // nil: none yet
	Bytes  int64      // of the last one
	Next   *time.Time // nil: not configured
	Kept   int
	Busy   bool   // one is in progress
	Fault  string // the last error; empty: none
	Plain  bool   // not encrypted
}

// WorkerState is a background worker; Fault is its last error while it is restarted.
type WorkerState struct{ Name, Fault string }

// minFreeShare is the share of free disk space below which pages warn.
const minFreeShare = 0.05

// IsDiskLow reports whether little space is left on the data folder's file system.
func (v ApplianceVitals) IsDiskLow() bool {
	return v.Disk > 0 && float64(v.Free) < minFreeShare*float64(v.Disk)
}

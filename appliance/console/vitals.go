package console

import (
	"time"

	"munadi/engine"
)

// ApplianceVitals are what the dashboard and the system page show of the appliance itself, at one moment.
type ApplianceVitals struct {
	Started time.Time
	Model   *engine.EngineInfo // nil while it is being loaded
	Trunk   *TrunkVitals       // what real calls go over; nil with the simulator
	Lines   int                // calls that may be up at once
	Held    int                // calls that are
	Queue   int                // pieces of work that wait for the recognizer
	Load    []RecognizerSample // the last hour, oldest first
	Workers []WorkerState
	Sources string // origins and licences of what is shipped

	Data       string
	Free, Disk uint64 // bytes of the file system that the data folder is on
	Database   int64  // bytes
	Recordings int64
	Backups    BackupVitals
	Settings   []SettingState
	Log        []string // last lines
}

// TrunkVitals is how the way to the telephone network is doing.
type TrunkVitals struct {
	Address    string // host, port and transport
	Up         bool   // calls go out; else they wait
	Since      time.Time
	Registers  bool       // it is to know us by a registration
	Registered *time.Time // until when; nil: not now
	Fault      string     // why calls wait, with what to do
}

// BackupVitals is how it stands with the backups that the appliance makes by itself.
type BackupVitals struct {
	Folder string
	Last   *time.Time // nil: none yet
	Bytes  int64      // of the last one
	Next   *time.Time // nil: none is made
	Kept   int
	Busy   bool   // one is being made
	Fault  string // why none can be made; empty: all is well
	Plain  bool   // not encrypted
}

// RecognizerSample is what the recognizer did in a stretch of time that ended at At.
type RecognizerSample struct {
	At     time.Time
	Length time.Duration
	Audio  float64 // seconds of speech that were decoded
	Work   float64 // seconds that it took
}

// WorkerState is a duty of the appliance; Fault is what it last failed with, while it is started again.
type WorkerState struct{ Name, Fault string }

// SettingState is a setting in force. There are no secrets among them.
type SettingState struct{ Name, Value, Default string }

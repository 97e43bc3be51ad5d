package dial

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"munadi/appliance/carrier"
	"munadi/store/blob"
	"munadi/store/dialling"
	"munadi/store/scenario"
)

// Recordings is where recordings are kept.
type Recordings interface {
	Create(name string) (Recorder, error)
	Remove(name string) error
}

// Recorder writes one: the called person left, the platform right.
type Recorder interface {
	Append(left, right []int16) error
	Close() error
}

// InFolder keeps recordings in a folder.
func InFolder(f *blob.Folder) Recordings { return folder{f} }

type folder struct{ *blob.Folder }

func (f folder) Create(name string) (Recorder, error) { return f.Folder.Create(name) }

// leaving is how much longer than its longest duration a call may last: the conversation ends it at that time by
// itself, and only one that does not is cut off.
const leaving = 2 * time.Second

// tape is an answered line whose frames are recorded and counted. A recording that cannot be written is given up; the
// conversation goes on.
type tape struct {
	carrier.Line
	longest time.Duration // after which it is hung up
	overran bool          // it was
	left    atomic.Bool   // we have hung up
	hungUp  bool          // the other side hung up before us

	name     string // of the recording; empty: none is made
	recorder Recorder
	remove   func(name string) error
	failure  error

	end  time.Duration // of the last frame, since the answer
	last atomic.Int64  // when it was taken, by the clock in nanoseconds
}

// record begins the recording of a line, if the rules want one.
func (a *attempt) record(line carrier.Line) *tape {
	longest := time.Duration(a.scenario.MaxDurationSeconds) * time.Second
	if longest <= 0 {
		longest = scenario.DefaultMaxDuration
	}
	t := &tape{Line: line, longest: longest + leaving}
	if a.rules.Recording == dialling.RecordOff {
		return t
	}
	name := blob.Name(a.call.OrgID, a.call.ID)
	if t.recorder, t.failure = a.Recordings.Create(name); t.failure == nil {
		t.name, t.remove = name, a.Recordings.Remove
	}
	return t
}

// Next takes a frame and records it.
func (t *tape) Next(ctx context.Context) (carrier.Frame, error) {
	f, err := t.Line.Next(ctx)
	if err != nil {
		t.hungUp = t.hungUp || errors.Is(err, carrier.ErrHungUp) && !t.left.Load()
		return f, err
	}
	t.moved()
	t.end = f.At + carrier.Tick
	if t.name != "" && t.failure == nil {
		t.failure = t.recorder.Append(f.In[:], f.Out[:])
	}
	if t.end >= t.longest {
		t.overran = true
		t.Hangup()
	}
	return f, nil
}

// Hangup ends the call from our side.
func (t *tape) Hangup() {
	t.left.Store(true)
	t.Line.Hangup()
}

func (t *tape) moved() { t.last.Store(time.Now().UnixNano()) }

// idle is how long no frame was taken.
func (t *tape) idle() time.Duration { return time.Since(time.Unix(0, t.last.Load())) }

// at is the line's time.
func (t *tape) at() time.Duration { return t.end }

// seconds is the call's duration.
func (t *tape) seconds() *int {
	n := int(math.Round(t.end.Seconds()))
	return &n
}

// close ends the recording and is its name; a recording without a frame is none. The error is the first that befell
// it, the name is there all the same if there is something to hear.
func (t *tape) close() (string, error) {
	if t.name == "" {
		return "", t.failure
	}
	if err := t.recorder.Close(); t.failure == nil {
		t.failure = err
	}
	if t.end == 0 {
		_ = t.remove(t.name) // an orphan is swept away later
		return "", t.failure
	}
	return t.name, t.failure
}

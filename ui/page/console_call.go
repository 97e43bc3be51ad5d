package page

import (
	"strconv"
	"time"

	"munadi/ui/shell"
	"munadi/ui/text"
)

// Call is the page of one call: what happens while it runs, the record afterwards.
type Call struct {
	shell.ConsolePage
	CallRow
	ScenarioID string
	Zone       *time.Location
	ZoneName   string

	Booking                     string
	Created, Planned            time.Time
	Began, Ended                *time.Time
	SIP, Q850                   string
	Line                        *LineFacts // nil where nothing was measured
	Machine, MachineCause       string     // as the detector names them
	Messages                    []Message
	Troubles                    []Trouble
	Timeline                    []Happening
	Slots                       []Slot
	ReportJSON                  string
	Metadata, Variables         []Field
	Recording                   string // address of the sound; empty without one
	Shape                       Shape  // of it
	Webhook                     string // state of the notification
	Delivery                    string // its page; empty for who may not see it
	Tries                       []Try
	Chain                       []Link
	NextRetry                   *time.Time
	Erased                      bool
	MayCancel, MayMove          bool
	MayHangUp, MayErase, Listen bool
	Earliest, Latest, MoveTo    string // of the field for another time
	Running                     bool
}

func (p Call) words() text.Call   { return text.CallIn(p.Lang) }
func (p Call) states() text.Calls { return text.CallsIn(p.Lang) }

// live says whether something is still to happen.
func (p Call) live() bool { return p.Running || p.Status == "scheduled" }

func (p Call) base() string { return p.Path() }

// Message is one turn. Times are seconds from the answer.
type Message struct {
	Customer   bool
	Start, End float64
	Confidence float64
	Words      []Word
}

// Word is one of a turn, with about the time at which it is heard.
type Word struct {
	Text       string
	Start, End float64
}

// seconds writes a time for scripts.
func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 2, 64) }

// Trouble is what went wrong in the conversation without ending it.
type Trouble struct {
	Code, Message string
	At            float64
}

// Happening is a line of the timeline.
type Happening struct {
	At                 time.Time
	Event, Actor, Note string
}

// Slot is a value of the report.
type Slot struct{ Name, Value string }

// Try is one POST of the notification.
type Try struct {
	At     time.Time
	Status int
	Error  string
	MS     int64
}

// Good says whether the receiver took it.
func (t Try) Good() bool { return t.Error == "" }

// Link is one call of the chain.
type Link struct {
	CallRow
	Here bool
}

// LineFacts is what was measured on the call's line, as it is written.
type LineFacts struct {
	SIPCodes                            string
	Codec                               string // empty for a call without an answer
	Encrypted                           bool
	Sent, Received, Lost, Late, Ignored string
	Foreign                             bool // sound came from an address that was not agreed on
}

package page

import (
	"strconv"
	"time"

	"munadi/ui/layout"
	"munadi/ui/locale"
)

// CallView is the page of one call: what happens while it runs, the record afterwards.
type CallView struct {
	layout.ConsolePage
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
	Messages                    []CallMessage
	Troubles                    []CallTrouble
	Timeline                    []TimelineLine
	Slots                       []ReportSlot
	ReportJSON                  string
	Metadata, Variables         []HiddenField
	Recording                   string        // address of the sound; empty without one
	Shape                       WaveformShape // of it
	Webhook                     string        // state of the notification
	Delivery                    string        // its page; empty for who may not see it
	Tries                       []WebhookTry
	Chain                       []ChainLink
	NextRetry                   *time.Time
	Erased                      bool
	MayCancel, MayMove          bool
	MayHangUp, MayErase, Listen bool
	Earliest, Latest, MoveTo    string // of the field for another time
	Running                     bool
}

func (p CallView) pageWords() locale.CallWords   { return locale.CallIn(p.Lang) }
func (p CallView) stateWords() locale.CallsWords { return locale.CallsIn(p.Lang) }

// isLive reports whether something is still to happen.
func (p CallView) isLive() bool { return p.Running || p.Status == "scheduled" }

func (p CallView) callPath() string { return p.CallPath() }

// CallMessage is one turn. Times are seconds from the answer.
type CallMessage struct {
	Customer   bool
	Start, End float64
	Confidence float64
	Words      []MessageWord
}

// MessageWord is one of a turn, with about the time at which it is heard.
type MessageWord struct {
	Text       string
	Start, End float64
}

// formatSeconds writes a time for scripts.
func formatSeconds(s float64) string { return strconv.FormatFloat(s, 'f', 2, 64) }

// CallTrouble is what went wrong in the conversation without ending it.
type CallTrouble struct {
	Code, Message string
	At            float64
}

// TimelineLine is a line of the timeline.
type TimelineLine struct {
	At                 time.Time
	Event, Actor, Note string
}

// ReportSlot is a value of the report.
type ReportSlot struct{ Name, Value string }

// WebhookTry is one POST of the notification.
type WebhookTry struct {
	At     time.Time
	Status int
	Error  string
	MS     int64
}

// IsGood reports whether the receiver took it.
func (t WebhookTry) IsGood() bool { return t.Error == "" }

// ChainLink is one call of the chain.
type ChainLink struct {
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

package calls

import (
	"net/url"
	"strconv"
	"time"

	"munadi/ui/layout"
)

// CallView is the page of one call: live while it runs, the record afterwards.
type CallView struct {
	layout.ConsolePage
	CallRow
	ScenarioID string
	Zone       *time.Location
	ZoneName   string

	Booking                     string
	Created, Planned            time.Time
	Began, Ended                *time.Time
	Facts                       []CallFact // further details, in order
	Line                        *LineFacts // nil without measurements
	Machine, MachineCause       string     // as the detector names them
	Messages                    []CallMessage
	Troubles                    []CallTrouble
	Timeline                    []TimelineLine
	Slots                       []ReportSlot
	ReportJSON                  string
	Metadata, Variables         []CallFact
	Labels                      []SlotLabel   // of a call that is not over
	Recording                   string        // URL of the audio; empty without one
	RecordingFault              string        // why a recording cannot be played; empty: nothing is wrong
	Shape                       WaveformShape // its waveform
	Webhook                     string        // state of the notification
	Delivery                    string        // URL of its page; empty without permission
	Tries                       []WebhookTry
	Chain                       []ChainLink
	NextRetry                   *time.Time
	Erased                      bool
	MayCancel, MayMove          bool
	MayHangUp, MayErase, Listen bool
	Earliest, Latest, MoveTo    string // bounds and value of the reschedule field
	Running                     bool
	After                       AfterCall
}

// isLive reports whether the call is running or scheduled.
func (p CallView) isLive() bool { return p.Running || p.Status == "scheduled" }

func (p CallView) callPath() string { return p.CallPath() }

// callAgainPath returns the form that books the same scenario for the same number.
func (p CallView) callAgainPath() string {
	return CallsPath + "/new?" + url.Values{"number": {p.Number}, "scenario": {p.ScenarioID}}.Encode()
}

// CallMessage is one turn of the conversation. Times are seconds from the answer.
type CallMessage struct {
	Customer   bool
	Start, End float64
	Confidence float64
	Words      []MessageWord
	Reply      ReplyGap

	Index              int    // in the call's messages
	Text               string // as corrected
	Heard, CorrectedBy string // of a corrected turn: the original text, and who corrected it
	MayCorrect         bool
}

// ReplyGap is how long the customer waited for a reply, in seconds from the end of their speech: until it was taken for
// over, and until the first sample and the first voiced sample of the reply. Empty if the turn is no reply.
type ReplyGap struct{ Decided, Sent, Heard string }

// MessageWord is one word of a turn with its approximate time.
type MessageWord struct {
	Text       string
	Start, End float64
}

// formatSeconds writes a time for scripts.
func formatSeconds(s float64) string { return strconv.FormatFloat(s, 'f', 2, 64) }

// CallTrouble is an error during the conversation that did not end it.
type CallTrouble struct {
	Code, Message string
	At            float64
}

// TimelineLine is an entry of the timeline.
type TimelineLine struct {
	At                 time.Time
	Event, Actor, Note string
}

// ReportSlot is a value of the report, as people call both.
type ReportSlot struct {
	Name, Label, Value string
	Known              bool
}

// SlotLabel is the display name of a slot, or of one of its values.
type SlotLabel struct {
	Slot, Value string // Value is empty for the slot itself
	Text        string
}

// WebhookTry is one delivery attempt.
type WebhookTry struct {
	At     time.Time
	Status int
	Error  string
	MS     int64
}

// IsGood reports whether the receiver accepted it.
func (t WebhookTry) IsGood() bool { return t.Error == "" }

// ChainLink is one call of the chain.
type ChainLink struct {
	CallRow
	Here bool
}

// CallFact is one detail of a call: a text or a time, with its label in the page's language.
type CallFact struct {
	Label string
	Text  string
	At    *time.Time
}

// LineFacts are the call's line measurements, formatted.
type LineFacts struct {
	SIPCodes                            string
	Trunk                               string // name of the SIP trunk
	Codec                               string // empty for a call without an answer
	Encrypted                           bool
	Sent, Received, Lost, Late, Ignored string
	Foreign                             bool // audio came from an address that was not negotiated
}

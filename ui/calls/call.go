package calls

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// CallView is the page of one call: live while it runs, the record afterwards.
type CallView struct {
	layout.ConsolePage
	CallRow
	Zone                        *time.Location
	Facts                       []CallFact // further details, in order
	Turns                       []CallTurn
	Troubles                    []call.CallError // with their messages in the page's language
	Timeline                    []TimelineLine
	ReportJSON                  string
	Metadata, Variables         []CallFact
	Labels                      []SlotLabel        // of a call that is not over
	Recording                   string             // URL of the audio; empty without one
	RecordingFault              string             // why a recording cannot be played; empty: nothing is wrong
	Shape                       WaveformShape      // its waveform
	Webhook                     *delivery.Delivery // the notification; nil without one
	Delivery                    string             // URL of its page; empty without permission
	Chain                       []CallRow          // the attempts, this one among them
	MayCancel, MayMove          bool
	MayHangUp, MayErase, Listen bool
	Earliest, Latest, MoveTo    string // bounds and value of the reschedule field
	After                       AfterCall
}

// isLive reports whether the call is running or scheduled.
func (p CallView) isLive() bool { return !p.Call.Status.IsFinal() }

func (p CallView) callPath() string { return p.CallPath() }

// callAgainPath returns the form that books the same scenario for the same number.
func (p CallView) callAgainPath() string {
	return CallsPath + "/new?" + url.Values{"number": {p.Number}, "scenario": {p.ScenarioID}}.Encode()
}

// CallTurn is one turn of the conversation, as corrected.
type CallTurn struct {
	call.Message
	Index              int // in the call's messages
	Words              []MessageWord
	Heard, CorrectedBy string // of a corrected turn: the original text, and who corrected it
	MayCorrect         bool
}

// isCustomers reports whether the called person spoke.
func (m CallTurn) isCustomers() bool { return m.Role == call.User }

// MessageWord is one word of a turn with its approximate time.
type MessageWord struct {
	Text       string
	Start, End float64
}

// formatSeconds writes seconds for scripts, and for people.
func formatSeconds(s float64) string { return strconv.FormatFloat(s, 'f', 2, 64) }

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

// CallFact is one detail of a call, with its label in the page's language.
type CallFact struct{ Label, Text string }

// sipCodes are the response codes of the INVITE.
func sipCodes(l call.LineFacts) string {
	codes := make([]string, len(l.SIPCodes))
	for i, code := range l.SIPCodes {
		codes[i] = strconv.Itoa(code)
	}
	return strings.Join(codes, ", ")
}

// packetCounts says how many packets came and went.
func packetCounts(l call.LineFacts, lang locale.Language) string {
	count := func(n uint64) string { return strconv.FormatUint(n, 10) }
	return locale.FillSentence(CallPacketCounts.In(lang), "sent", count(l.Sent), "received", count(l.Received),
		"lost", count(l.Lost), "late", count(l.Late), "ignored", count(l.Ignored))
}

package calls

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// CallView is the page of one call: live while it runs, the record afterwards.
type CallView struct {
	layout.ConsolePage
	CallRow
	Zone                        *time.Location
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
	MayTest, MayTestVoice       bool
	TakeOver                    bool
	MayCallBack, Rings          bool       // the person may be called by staff; by the user's extension
	MayProve                    bool       // may download its evidence
	Steps                       []CallFact // at which the dialogue can go on after that: id and display name
	Earliest, Latest, MoveTo    string     // bounds and value of the reschedule field
	After                       AfterCall
	Trace                       call.LineTrace
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

// CallFact is one detail of a call: a text or a time, with its label in the page's language.
type CallFact struct {
	Label, Text string
	At          *time.Time
}

// DirectionName returns the display name of a call's direction.
func DirectionName(l locale.Language, way call.CallDirection) string {
	if way == call.Inbound {
		return Inbound.In(l)
	}
	return Outbound.In(l)
}

// details are the details that the call has.
func (p CallView) details() []CallFact {
	l, failure := p.Lang, call.CallFailure{}
	if p.Failure != nil {
		failure = *p.Failure
	}
	all := append(p.bookingDetails(), []CallFact{
		{Label: CallBegan.In(l), At: p.StartedAt},
		{Label: CallEnd.In(l), At: p.EndedAt},
		{Label: CallReason.In(l), Text: Reasons.Word(l, p.Reason)},
		{Label: Direction.In(l), Text: DirectionName(l, p.Way())},
		{Label: CallCalled.In(l), Text: p.CalledNumber},
		{Label: CallCaller.In(l), Text: p.ShownNumber},
		{Label: CallSIP.In(l), Text: optionalNumber(failure.SIPCode)},
		{Label: CallQ850.In(l), Text: optionalNumber(failure.Q850Cause)},
	}...)
	if p.ScenarioVersion > 0 {
		all = append(all, CallFact{Label: CallScenarioVersion.In(l), Text: strconv.Itoa(p.ScenarioVersion)})
	}
	if p.Line != nil {
		all = append(all, lineDetails(*p.Line, l)...)
	}
	if m := p.Machine; m != nil {
		said := locale.MachineIn(l, m.Verdict) + " · " + locale.MachineIn(l, m.Cause)
		all = append(all, CallFact{Label: CallMachine.In(l), Text: said})
	}
	all = append(all, transferDetails(p.Transfers, l)...)
	all = append(all, holdDetails(p.Holds, l)...)
	attempt := locale.FillSentence(Attempts.In(l), "n", p.Attempt, "of", p.Max)
	all = append(all, CallFact{Label: CallAttempt.In(l), Text: attempt})
	return slices.DeleteFunc(all, func(f CallFact) bool { return f.Text == "" && f.At == nil })
}

// bookingDetails are how and for when the call was booked; an inbound call came in, nobody booked it.
func (p CallView) bookingDetails() []CallFact {
	if p.Way() == call.Inbound {
		return []CallFact{{Label: CallEvents.Word(p.Lang, "received"), At: &p.CreatedAt}}
	}
	return []CallFact{
		{Label: CallBooking.In(p.Lang), Text: Bookings.Word(p.Lang, string(p.Booking))},
		{Label: CallCreated.In(p.Lang), At: &p.CreatedAt},
		{Label: CallPlanned.In(p.Lang), At: &p.ScheduledAt},
	}
}

// transferDetails are the attempts to connect the call with a person.
func transferDetails(transfers []call.CallTransfer, l locale.Language) (all []CallFact) {
	for _, t := range transfers {
		outcome := TransferOutcomes.Word(l, string(t.Outcome))
		text := t.To + ": " + outcome
		if t.Duration != nil {
			text += " · " + component.FormatClock(*t.Duration)
		}
		all = append(all, CallFact{Label: TransferWays.Word(l, string(t.Way)), Text: text})
	}
	return all
}

// holdDetails are the spans in which a side held the call.
func holdDetails(holds []call.CallHold, l locale.Language) (all []CallFact) {
	for _, h := range holds {
		all = append(all, CallFact{Label: HoldParties.Word(l, string(h.By)), Text: locale.FillSentence(HoldSpan.In(l),
			"at", component.FormatClock(int(h.At)), "for", component.FormatClock(int(math.Round(h.Duration))))})
	}
	return all
}

// lineDetails are the measurements of the line; some texts are empty.
func lineDetails(line call.LineFacts, l locale.Language) []CallFact {
	codes := make([]string, len(line.SIPCodes))
	for i, code := range line.SIPCodes {
		codes[i] = strconv.Itoa(code)
	}
	all := []CallFact{
		{Label: CallSIPCodes.In(l), Text: strings.Join(codes, ", ")}, {Label: CallTrunk.In(l), Text: line.Trunk},
	}
	if line.Codec != "" {
		codec := CallFact{Label: CallCodec.In(l), Text: line.Codec}
		if line.Encrypted {
			codec.Text += " " + CallEncrypted.In(l)
		}
		count := func(n uint64) string { return strconv.FormatUint(n, 10) }
		all = append(all, codec, CallFact{Label: CallPackets.In(l), Text: locale.FillSentence(CallPacketCounts.In(l),
			"sent", count(line.Sent), "received", count(line.Received), "lost", count(line.Lost), "late", count(line.Late),
			"ignored", count(line.Ignored))})
	}
	if line.Foreign > 0 {
		all = append(all, CallFact{Label: CallNoticed.In(l), Text: CallForeignSound.In(l)})
	}
	return all
}

// goOn is the step at which the dialogue goes on after a takeover; the page's script sends it.
var goOn = []form.Declared[*CallView]{{
	Name: "go_on", Label: CallGoOnAt, Kind: form.List, Value: func(*CallView) any { return new(string) },
	Options: func(p *CallView) []form.Option {
		options := []form.Option{{Name: CallGoOnThere.In(p.Lang)}}
		for _, step := range p.Steps {
			options = append(options, form.Option{Value: step.Label, Name: step.Text})
		}
		return options
	},
}}

// goOnField returns the choice of that step.
func (p CallView) goOnField() form.Field {
	return form.BindDeclared(form.NewBinder(p.Lang, nil, nil), "", &p, goOn)[0]
}

package call

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Prefix is the prefix of every call id; a UUID follows.
const Prefix = "call_"

// NewID generates a call id.
func NewID() string { return Prefix + uuid.NewString() }

// ValidID reports whether id has the form of the id of a call or a trial.
func ValidID(id string) bool {
	rest, found := strings.CutPrefix(id, Prefix)
	if !found {
		rest, found = strings.CutPrefix(id, TrialPrefix)
	}
	return found && len(rest) == 36 && uuid.Validate(rest) == nil
}

// MaxReturns is how often a call may be requeued; with backoff of at most 15 minutes that is about a day.
const MaxReturns = 100

// BookingOutcome is how a call got its dial time.
type BookingOutcome string

// Booking outcomes.
const (
	Immediate   BookingOutcome = "immediate" // as soon as a line is free
	Booked      BookingOutcome = "booked"    // for a requested time
	Moved       BookingOutcome = "moved_to_calling_hours"
	Rescheduled BookingOutcome = "rescheduled"
	RetryBooked BookingOutcome = "retry_booked" // by the platform, after a failed attempt
)

// CallDirection is who called whom.
type CallDirection string

// Directions.
const (
	Outbound CallDirection = "outbound" // the platform called the person
	Inbound  CallDirection = "inbound"  // the person called the organization
)

// Call is one outbound call (one dial attempt): scheduled, running or ended; or one inbound call: running or ended.
type Call struct {
	ID     string     `json:"id"` // see [NewID]
	OrgID  string     `json:"org_id"`
	Status CallStatus `json:"status"`
	// Trial is true of a conversation with a browser that was no call; see [NewTrial].
	Trial bool `json:"trial,omitempty"`
	// Direction is empty for an outbound call; see [Call.Way].
	Direction   CallDirection `json:"direction,omitempty"`
	PhoneNumber string        `json:"phone_number"` // the person's, E.164; empty once erased, or if it is withheld
	// CalledNumber is the number of the organization that an inbound caller dialled, E.164; Route is that of its route.
	CalledNumber string `json:"called_number,omitempty"`
	Route        string `json:"route,omitempty"`
	ScenarioID   string `json:"scenario_id"`
	// ScenarioVersion is the version of the scenario that the call was booked with; at its end, the one that the
	// conversation followed. 0: built in, or booked by a version of Munadi that did not keep it.
	ScenarioVersion int            `json:"scenario_version,omitempty"`
	Variables       map[string]any `json:"variables,omitempty"` // JSON scalars, for templates and branches
	// NameVariable is the variable that holds the person's name; empty without one. See [Call.PersonName].
	NameVariable string            `json:"name_variable,omitempty"`
	Metadata     map[string]string `json:"metadata,omitempty"` // the integrator's own, opaque to the platform
	Booking      BookingOutcome    `json:"booking_outcome"`
	CreatedAt    time.Time         `json:"created_at"`
	ScheduledAt  time.Time         `json:"scheduled_at"` // the dial time

	Attempt AttemptChain `json:"attempt"`

	// ReleasedAt is when it left scheduled for dialing; of a call-back, when the person was called. nil: no attempt to
	// reach the person was made.
	ReleasedAt *time.Time   `json:"released_at,omitempty"`
	Returns    int          `json:"returns,omitempty"`    // times requeued, see [Call.ReturnToSchedule]
	Dialled    *DialFacts   `json:"dialled,omitempty"`    // nil: not dialled, or by a version that kept none
	StartedAt  *time.Time   `json:"started_at,omitempty"` // time of the answer
	EndedAt    *time.Time   `json:"ended_at,omitempty"`
	Duration   *int         `json:"total_duration,omitempty"` // whole seconds from answer to end, by the call's clock
	EndedBy    EndedBy      `json:"ended_by,omitempty"`       // empty while it has not ended
	Failure    *CallFailure `json:"failure,omitempty"`
	CampaignID string       `json:"campaign_id,omitempty"` // empty for a call booked on its own
	// Trunk is the SIP trunk that a test call goes over; empty: any that serves the number.
	Trunk string `json:"trunk,omitempty"`
	// Staff is the number or SIP address of the member of staff who is rung first in a call-back; see [Call.IsCallBack].
	Staff string `json:"staff,omitempty"`
	// CallerNumber is the number that the call is to show, E.164; empty: the organization's, else the trunk's.
	CallerNumber string `json:"caller_number,omitempty"`
	// ShownNumber is the number that it showed: E.164, or in the trunk's notation. Empty: not dialled, or not known.
	ShownNumber string `json:"shown_number,omitempty"`

	Messages []Message       `json:"messages,omitempty"`
	Errors   []CallError     `json:"errors,omitempty"`
	Report   json.RawMessage `json:"report,omitempty"`  // by the scenario's schema
	Unasked  []string        `json:"unasked,omitempty"` // of the report's properties, see [Call.CountedReport]
	// Decisions are the answers to questions with a bound on wrong decisions, in the order in which they were given.
	Decisions    []AnswerDecision `json:"decisions,omitempty"`
	ResponseBody json.RawMessage  `json:"response_body,omitempty"` // rendered from the scenario's template
	Recording    string           `json:"recording,omitempty"`     // name in the recordings folder; empty without one
	RecordingSum *RecordingSum    `json:"recording_sum,omitempty"` // nil: not known, or the call has not ended
	Machine      *MachineVerdict  `json:"machine,omitempty"`       // result of answering-machine detection
	CallBack     bool             `json:"call_back,omitempty"`     // the person was told that another call follows
	Line         *LineFacts       `json:"line,omitempty"`          // line measurements; nil for simulated calls
	Transfers    []CallTransfer   `json:"transfers,omitempty"`     // attempts to connect it with a person, in order
	Holds        []CallHold       `json:"holds,omitempty"`         // spans in which a side held it, in order

	Notes       []CallNote       `json:"notes,omitempty"`
	Need        *PersonNeed      `json:"need,omitempty"`        // nil: it was never marked
	Corrections []CallCorrection `json:"corrections,omitempty"` // in order of time: the last of a slot or message applies

	// HangupAt is when a user requested the hang-up; the worker that runs the call polls it.
	HangupAt *time.Time `json:"hangup_at,omitempty"`
	// Notify says whether a webhook delivery was enqueued for this call's end.
	Notify bool `json:"notify,omitempty"`
	// ErasedAt is when the personal data was erased.
	ErasedAt *time.Time `json:"erased_at,omitempty"`
}

// DialFacts are what was in force when a call was released to a line, and can't be told afterwards.
type DialFacts struct {
	At time.Time `json:"at"`
	// Rules is the SHA-256 in hexadecimal of the organization's dialling rules as JSON, under which they are kept.
	Rules string `json:"rules"`
	// Suppressed says whether the number was on the suppression list at that time. It can be: the rules were checked
	// right before, and somebody added it in between.
	Suppressed bool `json:"suppressed"`
}

// CallOutcome is how an attempt ended.
type CallOutcome struct {
	Status       CallStatus // a final one; a call-back whose person was not called becomes [Cancelled] instead
	EndedBy      EndedBy    // empty: the carrier without an answer, else the platform
	Failure      *CallFailure
	Duration     *int // whole seconds from answer to end; nil without an answer
	Messages     []Message
	Errors       []CallError
	Report       json.RawMessage
	ResponseBody json.RawMessage
	Recording    string
	RecordingSum *RecordingSum
	Machine      *MachineVerdict
	Line         *LineFacts
	Transfers    []CallTransfer
	Holds        []CallHold
	Trace        *LineTrace // nil: nothing was recorded
	ShownNumber  string     // see [Call.ShownNumber]
	CallBack     bool       // the person was told that another call follows
	NotDialled   bool       // of a call-back: the person was not called, so that it is no attempt to reach them
	Need         NeedReason // why a person must follow it up; empty: no follow-up

	Unasked   []string // properties of the report whose question was not asked
	Decisions []AnswerDecision

	ScenarioVersion int // of the scenario that the conversation followed
}

// EndWith ends a running call.
func (c Call) EndWith(o CallOutcome, now time.Time) (Call, error) {
	if o.NotDialled {
		c.ReleasedAt = nil
	}
	c, err := c.moveToEnd(o.Status)
	if err != nil {
		return c, err
	}
	c.EndedAt, c.Duration, c.Failure, c.Machine = &now, o.Duration, o.Failure, o.Machine
	c.Messages, c.Errors, c.Recording, c.RecordingSum = o.Messages, o.Errors, o.Recording, o.RecordingSum
	c.Report, c.ResponseBody, c.Line, c.CallBack = o.Report, o.ResponseBody, o.Line, o.CallBack
	c.ScenarioVersion = cmp.Or(o.ScenarioVersion, c.ScenarioVersion)
	c.Unasked, c.Decisions = o.Unasked, o.Decisions
	c.Transfers, c.Holds, c.ShownNumber = o.Transfers, o.Holds, o.ShownNumber
	if o.Need != "" && !c.Need.IsOpen() {
		c.Need = &PersonNeed{Reason: o.Need, At: now, By: byDialler}
	}
	switch c.EndedBy = o.EndedBy; {
	case o.EndedBy != "":
	case c.StartedAt == nil:
		c.EndedBy = ByCarrier
	default:
		c.EndedBy = ByPlatform
	}
	return c, nil
}

// moveToEnd ends a running call with a status.
func (c Call) moveToEnd(status CallStatus) (Call, error) {
	switch {
	case c.IsCallBack() && c.ReleasedAt == nil:
		return c.endUncalled()
	case status == Completed:
		return c.moveTo(Complete, status)
	default:
		return c.moveTo(Fail, status)
	}
}

// EndedBy says who ended a call.
type EndedBy string

// Parties that end a call.
const (
	ByCustomer EndedBy = "customer" // the called person hung up
	ByPlatform EndedBy = "platform" // the conversation ended, the rules forbade the call, or the appliance stopped
	ByOperator EndedBy = "operator" // a user of the organization hung up or cancelled
	ByCarrier  EndedBy = "carrier"  // no answer came, or the line broke
)

// CallFailure is the reason why a call did not end as a completed conversation.
type CallFailure struct {
	Reason    FailureReason `json:"reason"`
	SIPCode   *int          `json:"sip_code"`
	Q850Cause *int          `json:"q850_cause"`
}

// Message is one turn of the conversation. Times are seconds from the answer.
type Message struct {
	Role       SpeakerRole `json:"role"`
	Content    string      `json:"content"`
	Start      float64     `json:"start"`
	End        float64     `json:"end"`
	Confidence float64     `json:"confidence"` // 0..1; 1 for the platform's own speech
	// Step is the id of the scenario's step in which the platform said it; empty before the first one, for the person's
	// words, and in calls of a version that did not keep it.
	Step string `json:"step,omitempty"`
	*ReplyTiming
}

// ReplyTiming is how long a person waited for a reply of the platform, in milliseconds since the end of their speech.
// All are times of the line's audio. nil: the message is no reply.
type ReplyTiming struct {
	Gap     int `json:"gap_ms"`     // until its first sample
	Decided int `json:"decided_ms"` // until the decision that they had finished
	Heard   int `json:"heard_ms"`   // until its first voiced sample
}

// SpeakerRole is who spoke.
type SpeakerRole string

// Speaker roles.
const (
	Assistant SpeakerRole = "assistant" // the platform
	User      SpeakerRole = "user"      // the called person
)

// CallError is an error during a conversation that did not end it.
type CallError struct {
	Code    string  `json:"code"`    // stable, for programs: no_input, no_match, speech_failed, recognizer_busy, …
	Message string  `json:"message"` // for people
	At      float64 `json:"at"`      // seconds from the answer
}

// MachineVerdict is the result of answering-machine detection (AMD).
type MachineVerdict struct {
	Verdict string  `json:"verdict"` // as munadi/appliance/conversation/amd.AnswerVerdict
	Cause   string  `json:"cause"`   // deciding feature: beep, phrase, length, cadence, …
	At      float64 `json:"at"`      // seconds from the answer
}

// TimelineEntry is one event in a call's timeline.
type TimelineEntry struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"` // booked, rescheduled, moved, cancelled, released, stopped, answered, ended, rescued, …
	Actor string    `json:"actor"` // key:ID, user:ID, scheduler, dialler, operator …
	Note  string    `json:"note,omitempty"`
}

// AnswerDecision is one answer to a question with a bound on wrong decisions (a step's max_wrong), as it was heard and
// judged. It holds no value: what was answered stands in the report.
type AnswerDecision struct {
	Slot  string  `json:"slot"`
	Basis string  `json:"basis"`           // question and speech model: only decisions of one basis are compared
	Score float64 `json:"score"`           // probability of the value, 0 to 1; 0: the recognizer gave none
	At    float64 `json:"at"`              // seconds from the answer to the end of the words
	Drawn bool    `json:"drawn,omitempty"` // by lot: read back whatever its score
	Asked bool    `json:"asked,omitempty"` // read back, or asked again
	Right *bool   `json:"right,omitempty"` // the person's reply to the value read back; nil: none
}

// HoldParty is who held a call.
type HoldParty string

// The parties.
const (
	HeldByCustomer HoldParty = "customer" // the other side of the call, or its switch
	HeldByStaff    HoldParty = "staff"    // the person who took the call
)

// MaxHolds is the maximum number of stored holds of a call; later ones are not stored.
const MaxHolds = 50

// CallHold is a span during which a side of the call held it: it heard nothing of the other.
type CallHold struct {
	At       float64   `json:"at"`       // its beginning, in seconds from the answer of the call
	Duration float64   `json:"duration"` // in seconds
	By       HoldParty `json:"by"`
}

// TrialPrefix is the prefix of every trial's id; a UUID follows.
const TrialPrefix = "trial_"

// IsTrialID reports whether an id is a trial's.
func IsTrialID(id string) bool { return strings.HasPrefix(id, TrialPrefix) }

// NewTrial completes c, a conversation with a browser that is kept like a call: it is running at once, has no number
// and is never repeated. Lists and counters of calls leave trials out.
func NewTrial(c Call, now time.Time) Call {
	c.ID, c.Trial, c.Status, c.Booking = TrialPrefix+uuid.NewString(), true, Dialing, Immediate
	c.CreatedAt, c.ScheduledAt, c.PhoneNumber = now, now, ""
	c.Attempt = AttemptChain{Number: 1, Max: 1, ChainID: c.ID, Plan: RetryPlan{MaxAttempts: 1}}
	return c
}

// hidden replaces the masked digits of a number; its length does not depend on theirs.
const hidden = "•••••"

// MaskNumber masks a phone number for logs and trails: country code and last two digits remain, "+9665•••••01".
func MaskNumber(number string) string {
	const head, tail = 5, 2
	if len(number) < head+tail+3 {
		return hidden
	}
	return number[:head] + hidden + number[len(number)-tail:]
}

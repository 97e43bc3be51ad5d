package call

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Prefix is what every call's id begins with; a UUID follows.
const Prefix = "call_"

// NewID makes a call's id.
func NewID() string { return Prefix + uuid.NewString() }

// ValidID says whether id has the form of a call's id.
func ValidID(id string) bool {
	rest, found := strings.CutPrefix(id, Prefix)
	return found && len(rest) == 36 && uuid.Validate(rest) == nil
}

// MostReturns is how often a call may be put back; with growing waits of 15 minutes at most that is about a day.
const MostReturns = 100

// BookingOutcome says how a call came to its time.
type BookingOutcome string

// The booking outcomes.
const (
	Immediate   BookingOutcome = "immediate" // as soon as a line is free
	Booked      BookingOutcome = "booked"    // for a time that was asked for
	Moved       BookingOutcome = "moved_to_calling_hours"
	Rescheduled BookingOutcome = "rescheduled"
	RetryBooked BookingOutcome = "retry_booked" // by the platform, after an earlier attempt failed
)

// Call is one dial: booked, on its way or ended.
type Call struct {
	ID          string            `json:"id"` // see [NewID]
	OrgID       string            `json:"org_id"`
	Status      CallStatus        `json:"status"`
	PhoneNumber string            `json:"phone_number"` // E.164; empty once the person was erased
	ScenarioID  string            `json:"scenario_id"`
	Variables   map[string]any    `json:"variables,omitempty"` // JSON scalars, for the scenario's prompts and branches
	Metadata    map[string]string `json:"metadata,omitempty"`  // the integrator's own, never read
	Booking     BookingOutcome    `json:"booking_outcome"`
	CreatedAt   time.Time         `json:"created_at"`
	ScheduledAt time.Time         `json:"scheduled_at"` // the dial time

	Attempt AttemptChain `json:"attempt"`

	ReleasedAt *time.Time   `json:"released_at,omitempty"` // when it left scheduled for dialing
	Returns    int          `json:"returns,omitempty"`     // how often it was put back, see [Call.ReturnToSchedule]
	StartedAt  *time.Time   `json:"started_at,omitempty"`  // the answer
	EndedAt    *time.Time   `json:"ended_at,omitempty"`
	Duration   *int         `json:"total_duration,omitempty"` // whole seconds from answer to end, of the call's own clock
	EndedBy    EndedBy      `json:"ended_by,omitempty"`       // empty while it has not ended
	Failure    *CallFailure `json:"failure,omitempty"`
	CampaignID string       `json:"campaign_id,omitempty"` // empty for a call that was booked by itself

	Messages     []Message       `json:"messages,omitempty"`
	Errors       []CallError     `json:"errors,omitempty"`
	Report       json.RawMessage `json:"report,omitempty"`        // by the scenario's schema
	ResponseBody json.RawMessage `json:"response_body,omitempty"` // of the scenario's template
	Recording    string          `json:"recording,omitempty"`     // name in the recordings folder; empty without one
	Machine      *MachineVerdict `json:"machine,omitempty"`       // what answering-machine detection thought
	Line         *LineFacts      `json:"line,omitempty"`          // what was measured; nil where nothing was, as in simulated calls

	// HangupAt is when a person asked for the running call to be ended; the worker that holds the line reads it.
	HangupAt *time.Time `json:"hangup_at,omitempty"`
	// Notify says whether a webhook row was written for this call's end.
	Notify bool `json:"notify,omitempty"`
	// ErasedAt is when the person's recording and words were removed.
	ErasedAt *time.Time `json:"erased_at,omitempty"`
}

// EndedBy says who ended a call.
type EndedBy string

// Who may end a call.
const (
	ByCustomer EndedBy = "customer" // the called person hung up
	ByPlatform EndedBy = "platform" // the conversation came to its end, the rules forbade the call, or the appliance stopped
	ByOperator EndedBy = "operator" // a person of the organization hung up or cancelled
	ByCarrier  EndedBy = "carrier"  // no answer came, or the line broke
)

// CallFailure says why a call ended otherwise than as a conversation.
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
	Confidence float64     `json:"confidence"` // 0..1; 1 for what the platform itself said
}

// SpeakerRole says who spoke.
type SpeakerRole string

// The roles.
const (
	Assistant SpeakerRole = "assistant" // the platform
	User      SpeakerRole = "user"      // the called person
)

// CallError is something that went wrong in a conversation without ending it.
type CallError struct {
	Code    string  `json:"code"`    // stable, for programs: no_input, no_match, speech_failed, recognizer_busy, …
	Message string  `json:"message"` // for people
	At      float64 `json:"at"`      // seconds from the answer
}

// MachineVerdict is the verdict of answering-machine detection.
type MachineVerdict struct {
	Verdict string  `json:"verdict"` // human, voicemail, ivr, announcement, fax, unsure
	Cause   string  `json:"cause"`   // what gave it away: beep, phrase, length, …
	At      float64 `json:"at"`      // seconds from the answer
}

// TimelineEntry is one line of a call's timeline: what happened to it, who did it and when.
type TimelineEntry struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"` // booked, rescheduled, moved, cancelled, released, stopped, answered, ended, rescued, …
	Actor string    `json:"actor"` // key:ID, user:ID, scheduler, dialler, operator …
	Note  string    `json:"note,omitempty"`
}

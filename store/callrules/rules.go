// Package callrules holds an organization's rules for calling people: when, how often, whom never.
//
// It is a leaf of pure rules. [DecideCall] is the one place where a call's release is judged; the booking asks the same
// hours. The package knows no database and reads no clock; times of day are those of the organization's zone, so
// that 09:00 stays 09:00 when daylight saving begins.
//
// All rules are off in a new organization, except that emergency and premium numbers are never dialled.
package callrules

import "time"

// CallRules are one organization's; the zero value forbids nothing but [IsBlocked] numbers.
type CallRules struct {
	TimeZone     string       `json:"time_zone"` // IANA name; empty: UTC
	CallingHours CallingHours `json:"calling_hours"`
	Holidays     []string     `json:"holidays"` // YYYY-MM-DD in the zone, closed all day

	AttemptsPerDay  int `json:"attempts_per_day"`  // dials to one number in a calendar day; 0: no limit
	AttemptsPerWeek int `json:"attempts_per_week"` // dials to one number in the last seven days; 0: no limit

	AllowedPrefixes []string `json:"allowed_prefixes"` // E.164 beginnings, "+966"; empty: every destination
	BlockedPrefixes []string `json:"blocked_prefixes"` // on top of [IsBlocked]

	// SuppressInvalid puts a number that a carrier calls unassigned on the suppression list.
	SuppressInvalid bool `json:"suppress_invalid"`

	Recording    RecordingRule `json:"recording"`     // empty: on
	Disclosure   string        `json:"disclosure"`    // spoken before the first turn; empty: none
	ConsentBasis string        `json:"consent_basis"` // free text, for the register of calls

	MaxConcurrent int  `json:"max_concurrent_calls"` // lines of this organization; 0: as many as the appliance has
	KillSwitch    bool `json:"kill_switch"`          // nothing is released while it is on

	RetentionDays RetentionDays `json:"retention_days"`

	UpdatedAt time.Time `json:"updated_at"`
}

// RetentionDays is how many days sound and words of an ended call or live session are kept; 0: for ever.
type RetentionDays struct {
	Audio      int `json:"audio"`
	Transcript int `json:"transcript"`
}

// RecordingRule says whether calls are recorded.
type RecordingRule string

// The choices.
const (
	RecordOff      RecordingRule = "off"
	RecordAnnounce RecordingRule = "announce" // after a notice that is spoken first
	RecordOn       RecordingRule = "on"
)

// CallingHours are the times at which people may be called, per weekday; none: at any time. A weekday without slots is
// closed.
type CallingHours map[Weekday][]HourSlot

// Weekday is "sunday" … "saturday".
type Weekday string

// HourSlot is a stretch of one day, "09:00" to "18:00"; the end is not part of it, and "24:00" is midnight.
type HourSlot struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// SuppressionEntry is a number that is not to be called.
type SuppressionEntry struct {
	OrgID       string     `json:"org_id"`
	PhoneNumber string     `json:"phone_number"` // E.164
	Reason      string     `json:"reason"`
	Source      string     `json:"source"` // api, console, csv, call (asked for in one), carrier (no such number), erasure
	CreatedAt   time.Time  `json:"created_at"`
	Until       *time.Time `json:"until,omitempty"` // nil: for good
}

// IsActive says whether it holds at now.
func (s SuppressionEntry) IsActive(now time.Time) bool { return s.Until == nil || now.Before(*s.Until) }

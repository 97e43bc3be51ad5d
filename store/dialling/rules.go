// Package dialling holds an organization's rules for calling people: when, how often, whom never.
//
// It is a leaf of pure rules. [Decide] is the one place where a call's release is judged; the booking asks the same
// hours. The package knows no database and reads no clock; times of day are those of the organization's zone, so
// that 09:00 stays 09:00 when daylight saving begins.
//
// All rules are off in a new organization, except that emergency and premium numbers are never dialled.
package dialling

import "time"

// Rules are one organization's; the zero value forbids nothing but [Blocked] numbers.
type Rules struct {
	TimeZone     string   `json:"time_zone"` // IANA name; empty: UTC
	CallingHours Hours    `json:"calling_hours"`
	Holidays     []string `json:"holidays"` // YYYY-MM-DD in the zone, closed all day

	AttemptsPerDay  int `json:"attempts_per_day"`  // dials to one number in a calendar day; 0: no limit
	AttemptsPerWeek int `json:"attempts_per_week"` // dials to one number in the last seven days; 0: no limit

	AllowedPrefixes []string `json:"allowed_prefixes"` // E.164 beginnings, "+966"; empty: every destination
	BlockedPrefixes []string `json:"blocked_prefixes"` // on top of [Blocked]

	// SuppressInvalid puts a number that a carrier calls unassigned on the suppression list.
	SuppressInvalid bool `json:"suppress_invalid"`

	Recording    Recording `json:"recording"`     // empty: on
	Disclosure   string    `json:"disclosure"`    // spoken before the first turn; empty: none
	ConsentBasis string    `json:"consent_basis"` // free text, for the register of calls

	MaxConcurrent int  `json:"max_concurrent_calls"` // lines of this organization; 0: as many as the appliance has
	KillSwitch    bool `json:"kill_switch"`          // nothing is released while it is on

	RetentionDays Retention `json:"retention_days"`

	UpdatedAt time.Time `json:"updated_at"`
}

// Retention is how many days sound and words of an ended call or live session are kept; 0: for ever.
type Retention struct {
	Audio      int `json:"audio"`
	Transcript int `json:"transcript"`
}

// Recording says whether calls are recorded.
type Recording string

// The choices.
const (
	RecordOff      Recording = "off"
	RecordAnnounce Recording = "announce" // after a notice that is spoken first
	RecordOn       Recording = "on"
)

// Hours are the times at which people may be called, per weekday; none: at any time. A weekday without slots is
// closed.
type Hours map[Weekday][]Slot

// Weekday is "sunday" … "saturday".
type Weekday string

// Slot is a stretch of one day, "09:00" to "18:00"; the end is not part of it, and "24:00" is midnight.
type Slot struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Suppression is a number that is not to be called.
type Suppression struct {
	OrgID       string     `json:"org_id"`
	PhoneNumber string     `json:"phone_number"` // E.164
	Reason      string     `json:"reason"`
	Source      string     `json:"source"` // api, console, csv, call (asked for in one), carrier (no such number), erasure
	CreatedAt   time.Time  `json:"created_at"`
	Until       *time.Time `json:"until,omitempty"` // nil: for good
}

// Active says whether it holds at now.
func (s Suppression) Active(now time.Time) bool { return s.Until == nil || now.Before(*s.Until) }

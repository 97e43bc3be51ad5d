// Package callrules defines an organization's calling rules (dialling compliance): calling hours, attempt limits,
// blocked destinations, suppression list (do not call), recording and retention.
//
// It is a leaf package of pure rules. [DecideCall] is the one place that decides about a call's release; booking uses
// the same hours. It has no database and reads no clock; times of day are in the organization's zone, so that 09:00
// stays 09:00 when daylight saving begins.
//
// All rules are off in a new organization, except that emergency and premium-rate numbers are never dialled.
package callrules

import (
	"cmp"
	"time"

	"munadi/store/callerid"
)

// CallRules are one organization's rules; the zero value forbids only [IsBlocked] numbers.
type CallRules struct {
	TimeZone     string       `json:"time_zone"` // IANA name; empty: UTC
	City         string       `json:"city"`      // of [AllCities], for times named by prayers; empty: none
	CallingHours CallingHours `json:"calling_hours"`
	Holidays     []string     `json:"holidays"` // YYYY-MM-DD in the zone, closed all day

	AttemptsPerDay  int `json:"attempts_per_day"`  // attempts per number and calendar day; 0: no limit
	AttemptsPerWeek int `json:"attempts_per_week"` // attempts per number in the last seven days; 0: no limit

	AllowedPrefixes []string `json:"allowed_prefixes"` // E.164 prefixes, "+966"; empty: every destination
	BlockedPrefixes []string `json:"blocked_prefixes"` // in addition to [IsBlocked]

	// SuppressInvalid adds a number that the carrier reports as unassigned to the suppression list.
	SuppressInvalid bool `json:"suppress_invalid"`

	// CallerNumber is the number that calls show (caller ID), E.164; empty: the trunk's. A campaign may have its own.
	CallerNumber string `json:"caller_number"`
	// CallerNumbers are caller numbers by destination, which precede CallerNumber.
	CallerNumbers callerid.NumberRules `json:"caller_numbers"`

	Recording    RecordingRule `json:"recording"`     // empty: on
	Disclosure   string        `json:"disclosure"`    // spoken before the first turn; empty: none
	ConsentBasis string        `json:"consent_basis"` // free text, for the record of processing

	// TextForm, Numerals and Redact are the form of the calls' transcripts; see package textform.
	TextForm string `json:"text_form"` // spoken or written; empty: spoken
	Numerals string `json:"numerals"`  // of the written form: latn or arab; empty: latn
	Redact   bool   `json:"redact"`    // numbers and names that identify a person are left out

	MaxConcurrent int  `json:"max_concurrent_calls"` // of this organization; 0: no limit
	KillSwitch    bool `json:"kill_switch"`          // while on, no call is released

	RetentionDays RetentionDays `json:"retention_days"`

	UpdatedAt time.Time `json:"updated_at"`
}

// RetentionDays are the retention periods, in days, of audio and text of ended calls and live sessions; 0: unlimited.
type RetentionDays struct {
	Audio      int `json:"audio"`
	Transcript int `json:"transcript"`
}

// RecordingRule is whether calls are recorded.
type RecordingRule string

// Recording rules.
const (
	RecordOff      RecordingRule = "off"
	RecordAnnounce RecordingRule = "announce" // after a spoken notice
	RecordOn       RecordingRule = "on"
)

// CallingHours are the times at which people may be called, per weekday; empty: at any time. A weekday without slots is
// closed.
type CallingHours map[Weekday][]HourSlot

// Weekday is "sunday" … "saturday".
type Weekday string

// HourSlot is an interval of one day, "09:00" to "18:00"; the end is exclusive, and "24:00" is midnight.
type HourSlot struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// CallerFor returns the number that a call to a person shows, by the rules of its organization; empty: the trunk's.
func (r CallRules) CallerFor(orgID, person string) string {
	return cmp.Or(r.CallerNumbers.PickNumber(orgID, person), r.CallerNumber)
}

// SuppressionEntry is a number that must not be called (do-not-call entry).
type SuppressionEntry struct {
	OrgID       string     `json:"org_id"`
	PhoneNumber string     `json:"phone_number"` // E.164
	Reason      string     `json:"reason"`
	Source      string     `json:"source"` // api, console, csv, call, carrier, erasure
	CreatedAt   time.Time  `json:"created_at"`
	Until       *time.Time `json:"until,omitempty"` // nil: permanent
}

// IsActive reports whether the entry applies at now.
func (s SuppressionEntry) IsActive(now time.Time) bool { return s.Until == nil || now.Before(*s.Until) }

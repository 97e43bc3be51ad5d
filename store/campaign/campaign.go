// Package campaign defines a campaign: many calls of one scenario that are started, paused and counted together.
//
// It is a leaf package of pure rules. State machine of a campaign's status:
//
//	running ─pause→  paused      paused ─resume→ running     running, paused ─cancel→ cancelled
//	running, paused ─(no call left)→ finished                finished ─(calls added)→ running
package campaign

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"munadi/store/call"
)

// Prefix is the prefix of every campaign id; a UUID follows.
const Prefix = "camp_"

// NewID generates a campaign id.
func NewID() string { return Prefix + uuid.NewString() }

// ValidID reports whether id has the form of a campaign id.
func ValidID(id string) bool {
	rest, found := strings.CutPrefix(id, Prefix)
	return found && len(rest) == 36 && uuid.Validate(rest) == nil
}

// MaxCalls is the maximum number of calls of a campaign.
const MaxCalls = 10_000

// CampaignStatus is the state of a campaign.
type CampaignStatus string

// The statuses.
const (
	Running   CampaignStatus = "running"
	Paused    CampaignStatus = "paused"
	Finished  CampaignStatus = "finished"
	Cancelled CampaignStatus = "cancelled"
)

// Campaign is a campaign: its settings and its state.
type Campaign struct {
	ID         string         `json:"id"` // see [NewID]
	OrgID      string         `json:"org_id"`
	Name       string         `json:"name"`
	ScenarioID string         `json:"scenario_id"`
	Status     CampaignStatus `json:"status"`
	CreatedAt  time.Time      `json:"created_at"`

	StartsAt       *time.Time     `json:"starts_at,omitempty"`        // no call is dialled before
	EndsAt         *time.Time     `json:"ends_at,omitempty"`          // no call is dialled from then on
	CallsPerMinute int            `json:"calls_per_minute,omitempty"` // 0: no limit
	Lines          int            `json:"lines,omitempty"`            // calls at once; 0: no limit
	Retry          call.RetryPlan `json:"retry"`
	CallerNumber   string         `json:"caller_number,omitempty"` // E.164; empty: the organization's, else the trunk's

	// Loading is set while the first calls are being booked: no call is dialled yet.
	Loading bool `json:"loading,omitempty"`
	// Receipt is the store's name of the idempotency receipt under which the campaign was created; empty without one.
	Receipt string `json:"receipt,omitempty"`

	Tally   CampaignTally `json:"-"`
	Skipped []SkippedRow  `json:"-"` // of the request; stored separately
	// SkippedLost is set when the skipped rows are damaged on disk.
	SkippedLost bool `json:"-"`
}

// FileRow is the place of a row in the file that it is from, and the name of its person; zero without a file.
type FileRow struct {
	Sheet string `json:"sheet,omitempty"` // of a workbook
	Row   int    `json:"row,omitempty"`   // from 1
	Name  string `json:"name,omitempty"`
}

// SkippedRow is a row of the request that was not booked.
type SkippedRow struct {
	FileRow

	Index       int    `json:"index"` // from 0
	PhoneNumber string `json:"phone_number"`
	Reason      string `json:"reason"` // invalid, duplicate or suppressed
	Field       string `json:"field"`
	Message     string `json:"message"`
}

// IsOpen reports whether calls of the campaign may be dialled.
func (c Campaign) IsOpen() bool { return c.Status == Running && !c.Loading }

// IsUnfinished reports whether the campaign is running or paused.
func (c Campaign) IsUnfinished() bool { return c.Status == Running || c.Status == Paused }

// HasEnded reports whether the campaign's end time has passed.
func (c Campaign) HasEnded(at time.Time) bool { return c.EndsAt != nil && !at.Before(*c.EndsAt) }

// AllowsRetry reports whether the campaign still books an attempt at that time.
func (c Campaign) AllowsRetry(at time.Time) bool { return c.Status != Cancelled && !c.HasEnded(at) }

// IsUnreached reports whether a call ended without reaching its person, so that the campaign's retry books it again. It
// is false for a declined call.
func IsUnreached(c call.Call) bool {
	switch c.Status {
	case call.NoAnswer, call.UserUnavailable, call.Automation, call.Failed:
		return true
	case call.UserRejected:
		return call.ReasonOf(c.Failure) == call.Busy
	default:
		return false
	}
}

// HasReached reports whether a call ended with its person reached; a declined call counts as reached.
func HasReached(c call.Call) bool {
	return c.Status.IsFinal() && c.Status != call.Cancelled && !IsUnreached(c)
}

// Package campaign defines a campaign: many calls of one scenario that are started, paused and counted together.
//
// It is a leaf package of pure rules. State machine of a campaign's status:
//
//	running ─pause→  paused      paused ─resume→ running     running, paused ─cancel→ cancelled
//	running, paused ─(no call left)→ finished                finished ─(calls added)→ running
package campaign

import (
	"slices"
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

// CampaignSnapshot is a campaign at a moment, with its counters and skipped rows, which are stored separately.
type CampaignSnapshot struct {
	Campaign    Campaign      `json:"campaign"`
	Tally       CampaignTally `json:"tally"`
	Skipped     []SkippedRow  `json:"skipped,omitempty"`
	SkippedLost bool          `json:"skipped_lost,omitempty"`
}

// TakeSnapshot returns the snapshot of a campaign.
func TakeSnapshot(c Campaign) CampaignSnapshot {
	return CampaignSnapshot{Campaign: c, Tally: c.Tally, Skipped: c.Skipped, SkippedLost: c.SkippedLost}
}

// Restore returns the campaign as it was.
func (s CampaignSnapshot) Restore() Campaign {
	c := s.Campaign
	c.Tally, c.Skipped, c.SkippedLost = s.Tally, s.Skipped, s.SkippedLost
	return c
}

// maxMappings is the maximum number of column mappings stored for an organization.
const maxMappings = 50

// ImportMemory stores how an organization's contact files are read, so that the import form is filled in the next time.
type ImportMemory struct {
	Region   string          `json:"region,omitempty"` // of numbers without a country code, as ISO 3166; empty: none
	Mappings []ColumnMapping `json:"mappings,omitempty"`
}

// ColumnMapping maps the columns of files with these headers, for one scenario.
type ColumnMapping struct {
	Headers    []string `json:"headers"`
	ScenarioID string   `json:"scenario_id"`
	Fields     []string `json:"fields"` // of each column: phone_number, a variable's name, or empty for none
}

// FindMapping returns the mapping of files with these headers, preferably that of the scenario, else that of another
// one; false if there is none.
func (m ImportMemory) FindMapping(headers []string, scenarioID string) (ColumnMapping, bool) {
	var other *ColumnMapping
	for i, one := range m.Mappings {
		switch {
		case !slices.Equal(one.Headers, headers):
		case one.ScenarioID == scenarioID:
			return one, true
		case other == nil:
			other = &m.Mappings[i]
		}
	}
	if other == nil {
		return ColumnMapping{}, false
	}
	return *other, true
}

// AddMapping stores a mapping as the newest and removes the oldest beyond [maxMappings].
func (m *ImportMemory) AddMapping(kept ColumnMapping) {
	m.Mappings = slices.DeleteFunc(m.Mappings, func(one ColumnMapping) bool {
		return one.ScenarioID == kept.ScenarioID && slices.Equal(one.Headers, kept.Headers)
	})
	m.Mappings = slices.Insert(m.Mappings, 0, kept)
	m.Mappings = m.Mappings[:min(len(m.Mappings), maxMappings)]
}

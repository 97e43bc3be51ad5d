// Package replay defines replays: recorded calls of a period are held again, their people's sound through a recognizer
// and a version of the scenario, to see what would have come out otherwise. An organization's replays are kept in one
// record, its [Board], so that they survive a restart and any appliance can continue them; the results are records of
// their own, one for each call. The package holds the rules of their states, without a store.
//
// A replay goes through pages of calls. A result and its counters are one transaction, and the cursor moves on when all
// calls of a page have one: after a crash a page is begun again, and a call that has a result is not counted twice.
package replay

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Limits of replays.
const (
	MaxReplays = 20               // of an organization
	MaxCalls   = 10_000           // of one
	ClaimTime  = 10 * time.Minute // after which the replay of an appliance that died is claimed again
)

// State is the state of a replay.
type State string

// States. running ─pause→ paused ─resume→ running → done, or broken when it cannot go on.
const (
	Running State = "running"
	Paused  State = "paused"
	Done    State = "done"
	Broken  State = "broken"
)

// Replay is one replay of an organization.
type Replay struct {
	ID         string `json:"id"`
	Actor      string `json:"actor"`
	ScenarioID string `json:"scenario_id"` // of the calls, and of the version that is tried
	Version    int    `json:"version"`     // of the scenario; 0: built in
	Model      string `json:"model,omitempty"`
	// From and To limit the creation of the calls; To is excluded.
	From      time.Time  `json:"from"`
	To        time.Time  `json:"to"`
	State     State      `json:"state"`
	Broken    Problem    `json:"broken,omitempty"` // why it cannot go on
	Total     int        `json:"total"`            // calls that were found when it was created
	Counts    Counts     `json:"counts"`
	CreatedAt time.Time  `json:"created_at"`
	EndedAt   *time.Time `json:"ended_at,omitempty"`

	Cursor       string    `json:"cursor,omitempty"` // of the page of calls that is replayed
	Claim        string    `json:"claim,omitempty"`  // of the worker that replays
	ClaimedUntil time.Time `json:"claimed_until,omitzero"`
}

// Counts are the calls that were replayed so far.
type Counts struct {
	Same     int             `json:"same"`
	Changed  int             `json:"changed"`
	Skipped  int             `json:"skipped"`            // could not be replayed
	Problems map[Problem]int `json:"problems,omitempty"` // why
}

// Replayed returns the number of calls that have a result.
func (c Counts) Replayed() int { return c.Same + c.Changed + c.Skipped }

// Problem says why a call could not be replayed, or why a replay cannot go on.
type Problem string

// The problems of a call.
const (
	RecordingGone    Problem = "recording_gone"
	RecordingDamaged Problem = "recording_damaged"
	Redacted         Problem = "redacted" // words are silent in the recording
	NotHeard         Problem = "not_heard"
	NoEnd            Problem = "no_end" // the conversation did not come to its end
)

// The problems of a replay.
const (
	VersionGone Problem = "version_gone" // the version of the scenario is no longer kept
	ModelGone   Problem = "model_gone"   // the model is no longer installed, or cannot be opened
)

// Difference is a property of the report with another value; its values are JSON, empty for none.
type Difference struct {
	Name string  `json:"name"`
	Old  string  `json:"old"`
	New  string  `json:"new"`
	At   float64 `json:"at"` // seconds in the recording, where the person speaks of it
}

// Fork is where the paths of a call and of its replay part: the steps in which the platform spoke next, by id; empty
// where it did not speak any more.
type Fork struct {
	Old string  `json:"old"`
	New string  `json:"new"`
	At  float64 `json:"at"` // seconds in the recording
}

// ResultState says what came out of a call.
type ResultState string

// States of results.
const (
	Same    ResultState = "same"
	Changed ResultState = "changed"
	Skipped ResultState = "skipped"
)

// Result is what came out of one call.
type Result struct {
	CallID    string       `json:"call_id"`
	State     ResultState  `json:"state"`
	Problem   Problem      `json:"problem,omitempty"` // of a call that was skipped
	OldStatus string       `json:"old_status"`
	NewStatus string       `json:"new_status,omitempty"`
	OldTurns  int          `json:"old_turns"` // of the person
	NewTurns  int          `json:"new_turns"`
	Report    []Difference `json:"report,omitempty"`
	Parted    *Fork        `json:"parted,omitempty"` // nil: the paths are the same, or that of the call is not known
	At        float64      `json:"at"`               // seconds in the recording, of the first difference
}

// Judge sets the state of a result that was not skipped.
func (r *Result) Judge() {
	r.State = Same
	if len(r.Report) > 0 || r.Parted != nil || r.OldStatus != r.NewStatus || r.OldTurns != r.NewTurns {
		r.State = Changed
	}
}

// NewID returns the id of a new replay.
func NewID() string { return "replay_" + uuid.NewString() }

// Board is an organization's replays, oldest first.
type Board struct {
	Replays []Replay `json:"replays,omitempty"`
}

// FindReplay returns a replay by its id; nil without one.
func (b *Board) FindReplay(id string) *Replay {
	for i := range b.Replays {
		if b.Replays[i].ID == id {
			return &b.Replays[i]
		}
	}
	return nil
}

// IsPending reports whether a replay runs.
func (b *Board) IsPending() bool {
	return slices.ContainsFunc(b.Replays, func(r Replay) bool { return r.State == Running })
}

// AddReplay adds a running replay; false when the board is full.
func (b *Board) AddReplay(r Replay) bool {
	if len(b.Replays) >= MaxReplays {
		return false
	}
	r.State = Running
	b.Replays = append(b.Replays, r)
	return true
}

// RemoveReplay removes a replay; false without one.
func (b *Board) RemoveReplay(id string) bool {
	before := len(b.Replays)
	b.Replays = slices.DeleteFunc(b.Replays, func(r Replay) bool { return r.ID == id })
	return len(b.Replays) < before
}

// PauseReplay pauses a running replay, ResumeReplay lets a paused one go on. Both are idempotent, and false for one
// that has ended.
func (r *Replay) PauseReplay() bool {
	if r.State == Running {
		r.State = Paused
		r.release()
	}
	return r.State == Paused
}

// ResumeReplay lets a paused replay go on; see [Replay.PauseReplay].
func (r *Replay) ResumeReplay() bool {
	if r.State == Paused {
		r.State = Running
	}
	return r.State == Running
}

func (r *Replay) release() { r.Claim, r.ClaimedUntil = "", time.Time{} }

// ClaimReplay claims the running replay that stands first after another one, so that several take turns. alone means
// that no other worker exists: an existing claim then dates from before a restart and is ignored.
func (b *Board) ClaimReplay(after, claim string, alone bool, now time.Time) (Replay, bool) {
	first := slices.IndexFunc(b.Replays, func(r Replay) bool { return r.ID == after }) + 1
	for i := range b.Replays {
		r := &b.Replays[(first+i)%len(b.Replays)]
		if r.State != Running || r.Claim != "" && r.ClaimedUntil.After(now) && !alone {
			continue
		}
		r.Claim, r.ClaimedUntil = claim, now.Add(ClaimTime)
		return *r, true
	}
	return Replay{}, false
}

// claimed returns a running replay that a claim still holds; nil for another.
func (b *Board) claimed(id, claim string) *Replay {
	if r := b.FindReplay(id); r != nil && r.State == Running && r.Claim == claim {
		return r
	}
	return nil
}

// CountResult counts the result of a call and extends the claim; false when the claim is lost.
func (b *Board) CountResult(id, claim string, result Result, now time.Time) bool {
	r := b.claimed(id, claim)
	if r == nil {
		return false
	}
	r.ClaimedUntil = now.Add(ClaimTime)
	switch result.State {
	case Same:
		r.Counts.Same++
	case Changed:
		r.Counts.Changed++
	case Skipped:
		r.Counts.Skipped++
		if r.Counts.Problems == nil {
			r.Counts.Problems = map[Problem]int{}
		}
		r.Counts.Problems[result.Problem]++
	}
	return true
}

// FinishPage records that all calls of a page have a result and releases the claim; next is the cursor of the following
// page, empty for none. False when the claim is lost.
func (b *Board) FinishPage(id, claim, next string, now time.Time) bool {
	r := b.claimed(id, claim)
	if r == nil {
		return false
	}
	r.release()
	if r.Cursor = next; next == "" || r.Counts.Replayed() >= MaxCalls {
		r.State, r.EndedAt, r.Cursor = Done, &now, ""
	}
	return true
}

// BreakReplay ends a replay that cannot go on.
func (b *Board) BreakReplay(id, claim string, why Problem, now time.Time) bool {
	r := b.claimed(id, claim)
	if r == nil {
		return false
	}
	r.release()
	r.State, r.Broken, r.EndedAt = Broken, why, &now
	return true
}

// ReleaseClaim releases a claim before its page is finished, because its worker stops.
func (b *Board) ReleaseClaim(id, claim string) {
	if r := b.claimed(id, claim); r != nil {
		r.release()
	}
}

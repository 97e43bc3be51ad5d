package apimodel

import (
	"encoding/json"

	"munadi/store/jsontext"
	"munadi/store/replay"
)

// ReplayBody is a replay of recorded calls.
type ReplayBody struct {
	ID              string                 `json:"id"`
	ScenarioID      string                 `json:"scenario_id"`
	ScenarioVersion int                    `json:"scenario_version"`
	Model           *string                `json:"model"`
	From            string                 `json:"from"`
	To              string                 `json:"to"`
	Status          replay.State           `json:"status"`
	Reason          *replay.Problem        `json:"reason"`
	Total           int                    `json:"total"`
	Replayed        int                    `json:"replayed"`
	Same            int                    `json:"same"`
	Changed         int                    `json:"changed"`
	Skipped         map[replay.Problem]int `json:"skipped"`
	CreatedAt       string                 `json:"created_at"`
	EndedAt         *string                `json:"ended_at"`
}

// ReplayOf returns the body of a replay.
func ReplayOf(r replay.Replay) ReplayBody {
	b := ReplayBody{
		ID: r.ID, ScenarioID: r.ScenarioID, ScenarioVersion: r.Version,
		From: jsontext.FormatTime(r.From), To: jsontext.FormatTime(r.To),
		Status: r.State, Total: r.Total, Replayed: r.Counts.Replayed(), Same: r.Counts.Same, Changed: r.Counts.Changed,
		Skipped: r.Counts.Problems, CreatedAt: jsontext.FormatTime(r.CreatedAt),
	}
	if r.Model != "" {
		b.Model = &r.Model
	}
	if r.Broken != "" {
		b.Reason = &r.Broken
	}
	if b.Skipped == nil {
		b.Skipped = map[replay.Problem]int{}
	}
	if r.EndedAt != nil {
		at := jsontext.FormatTime(*r.EndedAt)
		b.EndedAt = &at
	}
	return b
}

// ReplayResultBody is what came out of one call of a replay.
type ReplayResultBody struct {
	CallID string             `json:"call_id"`
	Result replay.ResultState `json:"result"`
	Reason *replay.Problem    `json:"reason"`
	Status Replaced[string]   `json:"status"`
	Turns  Replaced[int]      `json:"turns"`
	Report []ReplacedValue    `json:"report"`
	Parted *replay.Fork       `json:"parted"`
	At     float64            `json:"at"`
}

// Replaced is a value in the call and in its replay.
type Replaced[T any] struct {
	Old T `json:"old"`
	New T `json:"new"`
}

// ReplacedValue is a property of the report with another value.
type ReplacedValue struct {
	Name string          `json:"name"`
	Old  json.RawMessage `json:"old"`
	New  json.RawMessage `json:"new"`
	At   float64         `json:"at"`
}

// ReplayResultOf returns the body of a result.
func ReplayResultOf(r replay.Result) ReplayResultBody {
	b := ReplayResultBody{
		CallID: r.CallID, Result: r.State, Status: Replaced[string]{r.OldStatus, r.NewStatus},
		Turns: Replaced[int]{r.OldTurns, r.NewTurns}, Report: []ReplacedValue{}, Parted: r.Parted, At: r.At,
	}
	if r.Problem != "" {
		b.Reason = &r.Problem
	}
	for _, d := range r.Report {
		b.Report = append(b.Report, ReplacedValue{d.Name, rawValue(d.Old), rawValue(d.New), d.At})
	}
	return b
}

// rawValue returns JSON; null for none.
func rawValue(text string) json.RawMessage {
	if text == "" {
		text = "null"
	}
	return json.RawMessage(text)
}

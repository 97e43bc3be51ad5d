package store

import (
	"context"
	"time"

	"munadi/store/call"
	"munadi/store/replay"
)

// ReplayStore stores the replays of recorded calls and their results.
type ReplayStore interface {
	// FindReplays returns an organization's replays; the zero board when it never had any.
	FindReplays(ctx context.Context, orgID string) (replay.Board, error)
	// ChangeReplays is a read-modify-write of an organization's replays in one transaction, with the audit entry that
	// change returns (without an action: none); it returns the new board. change may be called again; its error is
	// returned unchanged and leaves the board unchanged. CodeNotFound without the organization.
	ChangeReplays(
		ctx context.Context, orgID string, change func(*replay.Board) (AuditEntry, error),
	) (replay.Board, error)
	// PendingReplays lists the organizations that have a running replay, by id.
	PendingReplays(ctx context.Context) ([]string, error)
	// AddReplayResult adds the result of a call and counts it for a replay that a claim holds; one that the call has
	// already stays and is not counted again. CodeConflict when the claim is lost, or the call's texts are gone.
	AddReplayResult(ctx context.Context, orgID, id, claim string, r replay.Result, now time.Time) error
	// ListReplayResults lists the results of a replay in a state (empty: all), by the call's id. The results of a call
	// are removed with its texts: at its expiry, and when its person is erased.
	ListReplayResults(
		ctx context.Context, orgID, id string, state replay.ResultState, limit int, after string,
	) (ListPage[replay.Result], error)
	// DeleteReplay deletes a replay with its results and adds the audit entry replay.delete. CodeNotFound without it.
	DeleteReplay(ctx context.Context, orgID, id, actor string, now time.Time) error
}

// ReplayFilter returns the filter of a replay's calls, from its cursor on.
func ReplayFilter(r replay.Replay) CallFilter {
	return CallFilter{
		Statuses: []call.CallStatus{call.Completed}, ScenarioID: r.ScenarioID, CreatedFrom: r.From, CreatedTo: r.To,
		Cursor: r.Cursor,
	}
}

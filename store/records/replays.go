package records

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
	"munadi/store/replay"
)

var (
	replayBoards = declareKind(driver.Table{
		Kind: "replays", Name: "replays", Key: []string{"org"}, Columns: []string{"pending"},
	}, func(b replay.Board) []any { return []any{b.IsPending()} }, nil)

	replayResults = declareKind(driver.Table{
		Kind: "replay-result", Name: "replay_results", Key: []string{"org", "replay", "call"}, Columns: []string{"state"},
	}, func(r replay.Result) []any { return []any{string(r.State)} }, nil)
)

// FindReplays implements [store.ReplayStore].
func (s *Records) FindReplays(ctx context.Context, orgID string) (replay.Board, error) {
	return findSetting(ctx, s, replayBoards, orgID)
}

// ChangeReplays implements [store.ReplayStore].
func (s *Records) ChangeReplays(
	ctx context.Context, orgID string, change func(*replay.Board) (store.AuditEntry, error),
) (board replay.Board, err error) {
	err = s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		done.orgID = orgID
		board, err = changeState(tx, replayBoards, orgID, func(b *replay.Board) (err error) {
			done.entry, err = change(b)
			return err
		})
		return done, err
	})
	return board, err
}

// PendingReplays implements [store.ReplayStore].
func (s *Records) PendingReplays(ctx context.Context) ([]string, error) {
	return listPending(ctx, s, replayBoards)
}

// AddReplayResult implements [store.ReplayStore].
func (s *Records) AddReplayResult(
	ctx context.Context, orgID, id, claim string, r replay.Result, now time.Time,
) error {
	if !record.IsKeyPart(id) || !record.IsKeyPart(r.CallID) {
		return store.Errorf(store.CodeInvalid, "a result needs the ids of a replay and a call")
	}
	return s.db.Update(ctx, func(tx driver.Tx) error {
		lost := store.Errorf(store.CodeConflict, "the replay %q is paused, gone, or taken over", id)
		_, err := changeState(tx, replayBoards, orgID, func(b *replay.Board) error {
			of, err := calls.need(tx, orgID, r.CallID)
			if err != nil {
				return err
			}
			if of.Call.ErasedAt != nil || !of.HasWords() {
				return store.Errorf(store.CodeConflict, "the texts of the call %q are gone", r.CallID)
			}
			_, counted, err := replayResults.find(tx, orgID, id, r.CallID)
			if err != nil && !store.IsUnreadable(err) || counted {
				return err
			}
			if !b.CountResult(id, claim, r, now) {
				return lost
			}
			return replayResults.put(tx, r, orgID, id, r.CallID)
		})
		return err
	})
}

// ListReplayResults implements [store.ReplayStore].
func (s *Records) ListReplayResults(
	ctx context.Context, orgID, id string, state replay.ResultState, limit int, after string,
) (page store.ListPage[replay.Result], err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) (err error) {
		q := driver.Query{Equal: []any{orgID, id}}
		if state != "" {
			q.Where = []driver.Condition{{Column: "state", Value: string(state)}}
		}
		page, err = replayResults.page(tx, q, []string{"replay", orgID, id, string(state)}, limit, after)
		return err
	})
	return page, err
}

// DeleteReplay implements [store.ReplayStore]. The replay goes first, and then its results in several transactions.
func (s *Records) DeleteReplay(ctx context.Context, orgID, id, actor string, now time.Time) error {
	_, err := s.ChangeReplays(ctx, orgID, func(b *replay.Board) (store.AuditEntry, error) {
		if !b.RemoveReplay(id) {
			return store.AuditEntry{}, store.Errorf(store.CodeNotFound, "there is no replay %q", id)
		}
		return store.AuditEntry{At: now, Actor: actor, Action: "replay.delete", Subject: id}, nil
	})
	if err != nil {
		return err
	}
	return replayResults.drop(ctx, s.db, driver.Query{Equal: []any{orgID, id}})
}

// dropReplayResults removes what replays found out about a call, whose texts are removed.
func dropReplayResults(tx driver.Tx, orgID, callID string) error {
	board, _, err := replayBoards.find(tx, orgID)
	if err != nil && !store.IsUnreadable(err) {
		return err
	}
	for _, r := range board.Replays {
		row := driver.Row{Key: []string{orgID, r.ID, callID}}
		_, found, err := replayResults.find(tx, row.Key...)
		if store.IsUnreadable(err) {
			found, err = true, nil
		}
		if err == nil && found {
			err = tx.Delete(replayResults.Table, row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

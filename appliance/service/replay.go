package service

import (
	"context"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/replay"
	"munadi/store/scenario"
)

// ReplayRequest is a request for a replay.
type ReplayRequest struct {
	ScenarioID string    // of the calls
	Published  bool      // the published version is tried; false: the draft, if there is one
	Model      string    // an installed speech model; empty: the one that serves
	From, To   time.Time // of the creation of the calls; a zero To is now
}

// StartReplay starts a replay of the completed calls of a scenario in a period. The version of the scenario is that of
// now: a draft that is changed or deleted later changes nothing.
func (u *UseCases) StartReplay(
	ctx context.Context, who Caller, q ReplayRequest, found FieldViolations,
) (replay.Replay, error) {
	plan, known, err := u.FindScenario(ctx, who.OrgID, q.ScenarioID)
	if err != nil {
		return replay.Replay{}, err
	}
	now := u.now()
	if q.To.IsZero() {
		q.To = now
	}
	if !known {
		found.AddViolation("scenario_id", "is no scenario of this organization; GET /scenarios lists them")
	}
	if q.From.IsZero() || !q.From.Before(q.To) {
		found.AddViolation("from", "is required, and must be before to")
	}
	if q.Model != "" && (u.Models == nil || !slices.Contains(u.Models(), q.Model)) {
		found.AddViolation("model", "is no installed speech model; munadi model list shows them")
	}
	if err := violationError(found...); err != nil {
		return replay.Replay{}, err
	}
	if !q.Published {
		plan = plan.Latest()
	}
	r := replay.Replay{
		ID: replay.NewID(), Actor: who.Actor, ScenarioID: q.ScenarioID, Version: plan.Version, Model: q.Model, From: q.From,
		To: q.To, CreatedAt: now,
	}
	if r.Total, err = u.Store.CountCalls(ctx, who.OrgID, store.ReplayFilter(r), replay.MaxCalls+1); err != nil {
		return r, err
	}
	if r.Total > replay.MaxCalls {
		found.AddViolation("from", "leaves more than %d calls; choose a shorter period", replay.MaxCalls)
		return r, violationError(found...)
	}
	board, err := u.Store.ChangeReplays(ctx, who.OrgID, func(b *replay.Board) (store.AuditEntry, error) {
		if !b.AddReplay(r) {
			return store.AuditEntry{}, &ConflictError{
				Reason: StateForbidden, Message: "The limit of 20 replays is reached; delete one first",
			}
		}
		return u.replayAudit(who, "replay.create", r), nil
	})
	if err != nil {
		return r, err
	}
	return *board.FindReplay(r.ID), nil
}

func (u *UseCases) replayAudit(who Caller, action string, r replay.Replay) store.AuditEntry {
	return store.AuditEntry{At: u.now(), Actor: who.Actor, Action: action, Subject: r.ID, Note: r.ScenarioID}
}

// ListReplays lists the replays of an organization, latest first.
func (u *UseCases) ListReplays(ctx context.Context, orgID string) ([]replay.Replay, error) {
	b, err := u.Store.FindReplays(ctx, orgID)
	slices.Reverse(b.Replays)
	return b.Replays, err
}

// FindReplay returns a replay. [store.CodeNotFound] without it.
func (u *UseCases) FindReplay(ctx context.Context, orgID, id string) (replay.Replay, error) {
	b, err := u.Store.FindReplays(ctx, orgID)
	if err != nil {
		return replay.Replay{}, err
	}
	if r := b.FindReplay(id); r != nil {
		return *r, nil
	}
	return replay.Replay{}, noReplay(id)
}

func noReplay(id string) error { return store.Errorf(store.CodeNotFound, "there is no replay %q", id) }

// PauseReplay pauses a running replay, which goes on where it was when it is resumed.
func (u *UseCases) PauseReplay(ctx context.Context, who Caller, id string) (replay.Replay, error) {
	return u.turnReplay(ctx, who, id, "replay.pause", (*replay.Replay).PauseReplay)
}

// ResumeReplay lets a paused replay go on.
func (u *UseCases) ResumeReplay(ctx context.Context, who Caller, id string) (replay.Replay, error) {
	return u.turnReplay(ctx, who, id, "replay.resume", (*replay.Replay).ResumeReplay)
}

// turnReplay changes the state of a replay that has not ended; one that has the state already is no change.
func (u *UseCases) turnReplay(
	ctx context.Context, who Caller, id, action string, turn func(*replay.Replay) bool,
) (now replay.Replay, err error) {
	_, err = u.Store.ChangeReplays(ctx, who.OrgID, func(b *replay.Board) (store.AuditEntry, error) {
		r := b.FindReplay(id)
		if r == nil {
			return store.AuditEntry{}, noReplay(id)
		}
		before := r.State
		if !turn(r) {
			return store.AuditEntry{}, &ConflictError{Reason: StateForbidden, Message: "The replay has ended"}
		}
		if now = *r; before == r.State {
			return store.AuditEntry{}, nil
		}
		return u.replayAudit(who, action, *r), nil
	})
	return now, err
}

// DeleteReplay deletes a replay with its results.
func (u *UseCases) DeleteReplay(ctx context.Context, who Caller, id string) error {
	return u.Store.DeleteReplay(ctx, who.OrgID, id, who.Actor, u.now())
}

// ReplayedVersion returns the version of a scenario that a replay tries; false if it is no longer kept.
func (u *UseCases) ReplayedVersion(
	ctx context.Context, orgID string, r replay.Replay,
) (scenario.Scenario, bool, error) {
	if r.Version == 0 {
		return findByID(u.BuiltIn(), r.ScenarioID)
	}
	kept, err := u.Store.FindScenarioVersion(ctx, orgID, r.ScenarioID, r.Version)
	if store.CodeOf(err) == store.CodeNotFound {
		return scenario.Scenario{}, false, nil
	}
	return kept.Scenario, err == nil, err
}

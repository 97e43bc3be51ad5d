package admin

import (
	"context"
	"time"

	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/replay"
	"munadi/store/scenario"
)

// ReplayStart is the request for a replay of an organization's recorded calls.
type ReplayStart struct {
	OrgID string `json:"org"`
	service.ReplayRequest
}

// replayAct is what is done with a replay.
type replayAct struct {
	OrgID string `json:"org"`
	ID    string `json:"id"`
	Act   string `json:"act"` // show, pause, resume or delete
}

// resultPage asks for a page of a replay's results.
type resultPage struct {
	OrgID  string             `json:"org"`
	ID     string             `json:"id"`
	State  replay.ResultState `json:"state"` // empty: all
	Cursor string             `json:"cursor"`
}

const resultsPerPage = 200

// UseCases uses the use cases of the running appliance, which knows its models.
func (l *LocalAdmin) UseCases(cases *service.UseCases) *LocalAdmin {
	l.cases = cases
	return l
}

// replayCases returns the use cases of replays: those of the appliance, or without one of the database alone.
func (l *LocalAdmin) replayCases() *service.UseCases {
	if l.cases != nil {
		return l.cases
	}
	return &service.UseCases{
		Store: l.store, Now: time.Now, BuiltIn: func() []scenario.Scenario { return l.builtIn }, Models: l.models,
	}
}

func (l *LocalAdmin) startReplay(ctx context.Context, q ReplayStart) (replay.Replay, error) {
	if _, err := l.store.FindOrganization(ctx, q.OrgID); err != nil {
		return replay.Replay{}, err
	}
	return l.replayCases().StartReplay(ctx, service.Caller{OrgID: q.OrgID, Actor: actor}, q.ReplayRequest, nil)
}

func (l *LocalAdmin) listReplays(ctx context.Context, orgID string) ([]replay.Replay, error) {
	if _, err := l.store.FindOrganization(ctx, orgID); err != nil {
		return nil, err
	}
	all, err := l.replayCases().ListReplays(ctx, orgID)
	return append([]replay.Replay{}, all...), err
}

func (l *LocalAdmin) actOnReplay(ctx context.Context, q replayAct) (replay.Replay, error) {
	cases, who := l.replayCases(), service.Caller{OrgID: q.OrgID, Actor: actor}
	switch q.Act {
	case "pause":
		return cases.PauseReplay(ctx, who, q.ID)
	case "resume":
		return cases.ResumeReplay(ctx, who, q.ID)
	case "delete":
		return replay.Replay{ID: q.ID}, cases.DeleteReplay(ctx, who, q.ID)
	}
	return cases.FindReplay(ctx, q.OrgID, q.ID)
}

func (l *LocalAdmin) listReplayResults(ctx context.Context, q resultPage) (store.ListPage[replay.Result], error) {
	return l.store.ListReplayResults(ctx, q.OrgID, q.ID, q.State, resultsPerPage, q.Cursor)
}

// KnowBuiltIn gives the bundled scenarios to the database's operations; the running appliance has its own.
func (s AdminService) KnowBuiltIn(builtIn []scenario.Scenario) {
	if s.local != nil {
		s.local.builtIn = builtIn
	}
}

// StartReplay starts a replay. CodeInvalid names what is wrong with the request, CodeConflict a full list.
func (s AdminService) StartReplay(ctx context.Context, q ReplayStart) (replay.Replay, error) {
	return startReplay.run(ctx, s, q)
}

// ListReplays lists an organization's replays, latest first.
func (s AdminService) ListReplays(ctx context.Context, orgID string) ([]replay.Replay, error) {
	return listReplays.run(ctx, s, orgID)
}

// FindReplay returns a replay. CodeNotFound without it.
func (s AdminService) FindReplay(ctx context.Context, orgID, id string) (replay.Replay, error) {
	return actOnReplay.run(ctx, s, replayAct{orgID, id, "show"})
}

// PauseReplay pauses a replay. CodeConflict once it has ended.
func (s AdminService) PauseReplay(ctx context.Context, orgID, id string) (replay.Replay, error) {
	return actOnReplay.run(ctx, s, replayAct{orgID, id, "pause"})
}

// ResumeReplay lets a paused replay go on. CodeConflict once it has ended.
func (s AdminService) ResumeReplay(ctx context.Context, orgID, id string) (replay.Replay, error) {
	return actOnReplay.run(ctx, s, replayAct{orgID, id, "resume"})
}

// DeleteReplay deletes a replay with its results.
func (s AdminService) DeleteReplay(ctx context.Context, orgID, id string) error {
	_, err := actOnReplay.run(ctx, s, replayAct{orgID, id, "delete"})
	return err
}

// EachReplayResult calls show with each result of a replay; an empty state means all.
func (s AdminService) EachReplayResult(
	ctx context.Context, orgID, id string, state replay.ResultState, show func(replay.Result) error,
) error {
	q := resultPage{OrgID: orgID, ID: id, State: state}
	for {
		page, err := listReplayResults.run(ctx, s, q)
		if err != nil {
			return err
		}
		for _, r := range page.Items {
			if err := show(r); err != nil {
				return err
			}
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			return nil
		}
	}
}

package api

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/service"
	"munadi/store/replay"
	"munadi/store/strictjson"
)

// mountReplays adds the routes of replays.
func (s *APIService) mountReplays(e *echo.Echo) {
	s.addReadRoute(e, "/replays", s.listReplays)
	s.addReadRoute(e, "/replays/:replay_id", s.getReplay)
	s.addReadRoute(e, "/replays/:replay_id/results", s.listReplayResults, "result", "limit", "cursor")
	s.addWriteRoute(e, http.MethodPost, "/replays", s.startReplay)
	s.addWriteRoute(e, http.MethodPost, "/replays/:replay_id/pause", changeReplay(s.UseCases.PauseReplay))
	s.addWriteRoute(e, http.MethodPost, "/replays/:replay_id/resume", changeReplay(s.UseCases.ResumeReplay))
	s.addWriteRoute(e, http.MethodDelete, "/replays/:replay_id", s.deleteReplay)
}

// replayBody is the request body of POST /replays.
type replayBody struct {
	ScenarioID string    `json:"scenario_id"`
	Version    string    `json:"version"` // draft or published; empty: draft
	Model      string    `json:"model"`
	From       time.Time `json:"from"`
	To         time.Time `json:"to"`
}

// startReplay starts a replay (201).
func (s *APIService) startReplay(c echo.Context) error {
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	var b replayBody
	found := strictjson.BindValue(parsed, &b)
	if b.Version != "" && b.Version != "draft" && b.Version != "published" {
		found.AddViolation("version", "must be draft or published")
	}
	r, err := s.UseCases.StartReplay(c.Request().Context(), requestCaller(c), service.ReplayRequest{
		ScenarioID: b.ScenarioID, Published: b.Version == "published", Model: b.Model, From: b.From, To: b.To,
	}, found)
	if err != nil {
		return err
	}
	s.setLocation(c, "/replays/"+r.ID)
	return writeSuccess(c, http.StatusCreated, apimodel.ReplayOf(r))
}

// listReplays answers the organization's replays, latest first: 20 at most.
func (s *APIService) listReplays(c echo.Context) error {
	all, err := s.UseCases.ListReplays(c.Request().Context(), requestPrincipal(c).OrgID)
	if err != nil {
		return err
	}
	return answerPage(c, http.StatusOK, bodiesOf(all, apimodel.ReplayOf), "")
}

// getReplay answers one replay.
func (s *APIService) getReplay(c echo.Context) error {
	r, err := s.UseCases.FindReplay(c.Request().Context(), requestPrincipal(c).OrgID, c.Param("replay_id"))
	return answerWith(c, http.StatusOK, r, err, apimodel.ReplayOf)
}

// changeReplay returns the handler that pauses or resumes a replay.
func changeReplay(
	change func(ctx context.Context, who service.Caller, id string) (replay.Replay, error),
) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, err := change(c.Request().Context(), requestCaller(c), c.Param("replay_id"))
		return answerWith(c, http.StatusOK, r, err, apimodel.ReplayOf)
	}
}

// deleteReplay deletes a replay with its results.
func (s *APIService) deleteReplay(c echo.Context) error {
	id := c.Param("replay_id")
	err := s.UseCases.DeleteReplay(c.Request().Context(), requestCaller(c), id)
	return answer(c, http.StatusOK, deletedBody{id, true}, err)
}

// listReplayResults answers a page of a replay's results.
func (s *APIService) listReplayResults(c echo.Context) error {
	q := queryOf(c)
	limit, cursor := q.limitParam(), q.textParam("cursor")
	state := enumParam(q, "result", []replay.ResultState{replay.Same, replay.Changed, replay.Skipped})
	if err := q.validationError(nil); err != nil {
		return err
	}
	ctx, orgID, id := c.Request().Context(), requestPrincipal(c).OrgID, c.Param("replay_id")
	if _, err := s.UseCases.FindReplay(ctx, orgID, id); err != nil {
		return err
	}
	page, err := s.UseCases.Store.ListReplayResults(ctx, orgID, id, state, limit, cursor)
	return answerList(c, q, page, err, apimodel.ReplayResultOf)
}

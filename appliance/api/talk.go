package api

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// retryTalk is when to try again while too many conversations are open.
const retryTalk = 10 * time.Second

// talkScenario holds a scenario's conversation over a WebSocket, as a trial: of the published version, or with
// draft=true of the draft. Package browsercall documents the messages.
func (s *APIService) talkScenario(c echo.Context) error {
	q, err := s.bindTalk(c)
	if err != nil {
		return err
	}
	if !strings.EqualFold(c.Request().Header.Get("Upgrade"), "websocket") {
		c.Response().Header().Set("Upgrade", "websocket")
		return newAPIError(http.StatusUpgradeRequired, TypeMalformed, "This endpoint requires a WebSocket upgrade")
	}
	ctx, end := auth.GuardAccess(c.Request().Context(), requestPrincipal(c).Alive, auth.ErrRevoked)
	defer end()
	if err := s.Talk(c.Response(), c.Request().WithContext(ctx), q); err != nil {
		return &apiError{
			status: http.StatusTooManyRequests, kind: TypeRateLimited, retryAfter: retryTalk, message: err.Error(),
		}
	}
	return nil
}

// bindTalk returns the scenario and the variables of a conversation.
func (s *APIService) bindTalk(c echo.Context) (q service.TalkRequest, err error) {
	params := queryOf(c)
	plan, err := s.triedVersion(c, enumParam(params, "draft", []string{"true", "false"}) == "true")
	if err != nil {
		return q, err
	}
	who := requestCaller(c)
	q = service.TalkRequest{
		OrgID: who.OrgID, Actor: who.Actor, Scenario: plan, Variables: talkVariables(params, plan),
	}
	if err := newValidationError(params.found); err != nil {
		return q, err
	}
	return q, service.CheckTalk(c.Request().Context(), plan)
}

// triedVersion returns the version of a scenario that is tried. A draft needs the scope of settings, by which it could
// be published, too.
func (s *APIService) triedVersion(c echo.Context, draft bool) (scenario.Scenario, error) {
	plan, err := s.scenarioOf(c)
	switch {
	case err != nil:
		return plan, err
	case draft && !requestPrincipal(c).HasScope(account.ScopeSettings):
		return plan, newAPIError(http.StatusForbidden, TypePermission,
			"This API key lacks the scope "+string(account.ScopeSettings)+", which drafts need")
	case draft:
		return plan.Latest(), nil
	case !plan.IsPublished():
		return plan, newAPIError(http.StatusConflict, TypeConflict,
			"The scenario was never published; with draft its draft is tried")
	}
	return plan, nil
}

// ringBody is the request body of POST /scenarios/{scenario_id}/ring.
type ringBody struct {
	Extension string         `json:"extension"`
	Draft     bool           `json:"draft"`
	Variables map[string]any `json:"variables"`
}

// ringScenario rings a member of staff and holds the scenario's conversation there, as a trial.
func (s *APIService) ringScenario(c echo.Context) error {
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	var b ringBody
	faults := strictjson.BindValue(parsed, &b)
	plan, err := s.triedVersion(c, b.Draft)
	if err != nil {
		return err
	}
	faults.AddAll(plan.CheckTrialVariables(b.Variables))
	if err := newValidationError(faults); err != nil {
		return err
	}
	ctx, who := c.Request().Context(), requestCaller(c)
	if err := service.CheckTalk(ctx, plan); err != nil {
		return err
	}
	to, err := s.UseCases.FindTrialPhone(ctx, who.OrgID, b.Extension)
	if err != nil {
		return err
	}
	id, err := s.Ring(ctx, service.TalkRequest{
		OrgID: who.OrgID, Actor: who.Actor, Scenario: plan, Variables: b.Variables,
	}, to)
	if err != nil {
		return err
	}
	begun, err := s.Store.FindCall(ctx, who.OrgID, id)
	return s.answerCall(c, http.StatusAccepted, begun, err)
}

// talkVariables reads the variables of the conversation, a JSON object in the query.
func talkVariables(q *queryReader, plan scenario.Scenario) map[string]any {
	text := q.textParam("variables")
	if text == "" {
		return nil
	}
	parsed, err := strictjson.ParseObject([]byte(text))
	if err != nil {
		q.found.AddViolation("variables", "must be a JSON object")
		return nil
	}
	var b struct {
		Variables map[string]any `json:"variables"`
	}
	q.found.AddAll(strictjson.BindValue(map[string]any{"variables": parsed}, &b))
	q.found.AddAll(plan.CheckTrialVariables(b.Variables))
	return b.Variables
}

// acceptKeyProtocol takes the key of a browser, which cannot set headers, from the subprotocols that it offers.
func acceptKeyProtocol(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Request().Header
		if key := auth.SubprotocolKey(h); key != "" && h.Get(echo.HeaderAuthorization) == "" {
			h.Set(echo.HeaderAuthorization, "Bearer "+key)
		}
		return next(c)
	}
}

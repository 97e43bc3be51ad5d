package calls

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/call"
	"munadi/ui/calls"
	"munadi/ui/scenarios"
)

// takeOverCall gives the platform's side of a running call to the visitor's browser, over a WebSocket. Its
// beginning and the handing back are recorded in the audit trail and in the call's timeline; the call's end is anyway.
func (s handlers) takeOverCall(c echo.Context) error {
	found, err := s.requestCall(c)
	if err != nil {
		return err
	}
	if found.Status != call.InProgress || s.TakeOver == nil {
		return echo.NewHTTPError(http.StatusConflict, "the call is not running")
	}
	who := kit.RequestCaller(c)
	record := func(ctx context.Context, kind call.AmendKind) error {
		_, err := s.UseCases.FollowUp(ctx, who, found.ID, kind, "", nil)
		return err
	}
	err = s.TakeOver(c.Response(), c.Request(), kit.TakeOverRequest{
		OrgID: who.OrgID, CallID: found.ID, Actor: who.Actor,
		Begun: func(ctx context.Context) error { return record(ctx, call.AmendTakeOver) },
		HandedBack: func(ctx context.Context) {
			err := record(ctx, call.AmendHandBack)
			if code := store.CodeOf(err); err != nil && code != store.CodeConflict { // the call itself may have ended
				s.Log.Error("the end of a takeover could not be recorded", "call_id", found.ID, "err", err)
			}
		},
	})
	if err != nil && !c.Response().Committed {
		return echo.NewHTTPError(http.StatusConflict, err.Error())
	}
	return nil
}

// takeOverSteps returns the steps at which a dialogue can go on after a takeover.
func takeOverSteps(c call.Call, k kit.ScenarioLabels) (steps []calls.CallFact) {
	plan, _ := kit.FindScenario(k.Scenarios, c.ScenarioID)
	for _, step := range plan.Steps {
		steps = append(steps, calls.CallFact{Label: step.ID, Text: scenarios.LabelText(k.Lang, step.Label, step.ID)})
	}
	return steps
}

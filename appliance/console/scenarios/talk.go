package scenarios

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// talkedScenario returns the scenario that is tried by voice: its draft, where there is one.
func (s handlers) talkedScenario(c echo.Context) (scenario.Scenario, error) {
	found, err := s.requestScenario(c)
	if err == nil && s.Talk == nil {
		err = kit.NewNotFoundError("this appliance holds no calls")
	}
	return found.Latest(), err
}

// showTalk shows the page on which a scenario is tried by voice.
func (s handlers) showTalk(c echo.Context) error {
	plan, err := s.talkedScenario(c)
	if err != nil {
		return err
	}
	l := kit.RequestVisitor(c).Lang
	plan = kit.TranslateBuiltIn(plan, l)
	frame := s.scenarioFrame(c, plan.Name)
	frame.Styles = append(frame.Styles, "css/console-live.css", "css/console-talk.css")
	frame.Module = "js/console-talk.js"
	p := scenarios.TalkView{
		ConsolePage: frame, Plan: plan, Draft: !plan.IsPublished(),
		Line:      scenariosPath + "/" + url.PathEscape(plan.ID) + "/talk/line",
		Variables: trialVariables(plan, url.Values{}, l), Phone: kit.RequestVisitor(c).User.Extension, Rings: s.Ring != nil,
	}
	return kit.RenderPage(c, http.StatusOK, scenarios.TalkPage(p))
}

// holdTalk holds the conversation over a WebSocket. A draft that could not be published can't be talked to.
func (s handlers) holdTalk(c echo.Context) error {
	plan, err := s.talkedScenario(c)
	if err != nil {
		return err
	}
	if err := service.CheckTalk(c.Request().Context(), plan); err != nil {
		return echo.NewHTTPError(http.StatusConflict, err.Error())
	}
	return s.Talk(c.Response(), c.Request(), service.TalkRequest{
		OrgID: kit.RequestVisitor(c).Org.ID, Actor: kit.RequestVisitor(c).AuditActor(), Scenario: plan,
		Variables: typedVariables(plan, "try.var.", c.QueryParam),
	})
}

// ringTrial rings the visitor's extension, holds the conversation there, and shows the trial. A refused one leads back.
func (s handlers) ringTrial(c echo.Context) error {
	plan, err := s.talkedScenario(c)
	if err == nil && s.Ring == nil {
		err = kit.NewNotFoundError("this appliance holds no calls")
	}
	if err != nil {
		return err
	}
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	back := scenariosPath + "/" + url.PathEscape(plan.ID) + "/talk"
	if err := service.CheckTalk(ctx, plan); err != nil {
		return kit.RedirectProblem(c, back, scenarios.EditorBroken.In(v.Lang))
	}
	to, err := s.UseCases.FindTrialPhone(ctx, v.Org.ID, v.User.Extension)
	id := ""
	if err == nil {
		id, err = s.Ring(ctx, service.TalkRequest{
			OrgID: v.Org.ID, Actor: v.AuditActor(), Scenario: plan, Variables: typedVariables(plan, "try.var.", c.FormValue),
		}, to)
	}
	var refused *service.ConflictError
	var invalid *service.ViolationError
	switch {
	case errors.As(err, &refused):
		return kit.RedirectProblem(c, back, ringRefusal(refused, v.Lang))
	case errors.As(err, &invalid):
		return kit.RedirectProblem(c, back, calls.CallBackNoExtension.In(v.Lang))
	case err != nil:
		return err
	}
	return kit.RedirectSaying(c, calls.CallsPath+"/"+id, scenarios.RingBegun.In(v.Lang))
}

// ringRefusal says why the visitor can't be rung now.
func ringRefusal(refused *service.ConflictError, l locale.Language) string {
	for _, v := range refused.Violations {
		if said := calls.CallBackRefusals.Word(l, string(v.Reason)); said != "" {
			return said
		}
	}
	return scenarios.RingNoLine.In(l)
}

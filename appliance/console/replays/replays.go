package replays

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/replay"
	"munadi/store/scenario"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/replays"
)

// pageResults is the number of results of a page.
const pageResults = 25

func (s handlers) listReplays(c echo.Context) error {
	return s.listPage(c, http.StatusOK, nil, replays.NewReplay{Version: "draft", Days: "7"})
}

// listPage shows the replays and the form of a new one.
func (s handlers) listPage(c echo.Context, status int, found []form.Violation, typed replays.NewReplay) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	all, err := s.UseCases.ListReplays(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	plans, err := s.readScenarios(ctx, v)
	if err != nil {
		return err
	}
	rules, err := s.Store.FindRules(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	p := replays.View{ConsolePage: s.ConsoleFrame(c, replays.Title.In(v.Lang)), Zone: kit.RulesZone(rules)}
	for _, r := range all {
		p.Replays = append(p.Replays, replays.NamedReplay{Replay: r, Scenario: kit.ScenarioName(plans, r.ScenarioID)})
	}
	if typed.Scenario == "" && len(plans) > 0 {
		typed.Scenario = plans[0].ID
	}
	p.Form = replays.BindNewReplay(form.NewBinder(v.Lang, nil, found), &typed, plans, s.models())
	return kit.RenderPage(c, status, replays.Page(p))
}

func (s handlers) models() []string {
	if s.UseCases.Models == nil {
		return nil
	}
	return s.UseCases.Models()
}

// readScenarios returns the scenarios by name.
func (s handlers) readScenarios(ctx context.Context, v kit.Visitor) ([]scenario.Scenario, error) {
	all, err := s.ListScenariosFor(ctx, v)
	slices.SortFunc(all, func(a, b scenario.Scenario) int { return cmp.Compare(a.Name, b.Name) })
	return all, err
}

func (s handlers) startReplay(c echo.Context) error {
	v := kit.RequestVisitor(c)
	plans, err := s.readScenarios(c.Request().Context(), v)
	if err != nil {
		return err
	}
	typed := replays.NewReplay{}
	replays.BindNewReplay(kit.BindSent(c), &typed, plans, s.models())
	q := service.ReplayRequest{
		ScenarioID: typed.Scenario, Published: typed.Version == "published", Model: typed.Model,
	}
	if days, err := strconv.Atoi(typed.Days); err == nil && days > 0 && days <= 366 {
		q.From = s.Now().AddDate(0, 0, -days)
	}
	made, err := s.UseCases.StartReplay(c.Request().Context(), kit.RequestCaller(c), q, nil)
	var broken *service.ViolationError
	var full *service.ConflictError
	switch {
	case errors.As(err, &broken):
		return s.listPage(c, http.StatusUnprocessableEntity, kit.FormViolations(broken.Violations), typed)
	case errors.As(err, &full):
		return kit.RedirectProblem(c, replays.Path, replays.Full.In(v.Lang))
	case err != nil:
		return err
	}
	return kit.RedirectTo(c, replays.Path+"/"+made.ID)
}

// requestReplay finds the replay that the path names.
func (s handlers) requestReplay(c echo.Context) (replay.Replay, error) {
	return s.UseCases.FindReplay(c.Request().Context(), kit.RequestVisitor(c).Org.ID, c.Param("replay"))
}

// showReplay shows a replay and a page of what came out otherwise.
func (s handlers) showReplay(c echo.Context) error {
	found, err := s.requestReplay(c)
	if err != nil {
		return err
	}
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	plans, err := s.readScenarios(ctx, v)
	if err != nil {
		return err
	}
	p := replays.OneView{
		ConsolePage: s.ConsoleFrame(c, replays.Title.In(v.Lang)), Zone: s.OrganizationZone(c), May: true,
		NamedReplay: replays.NamedReplay{Replay: found, Scenario: kit.ScenarioName(plans, found.ScenarioID)},
	}
	p.Styles = append(p.Styles, "css/console-player.css")
	if p.Module = "js/console-replay.js"; found.State == replay.Running {
		p.Live = replays.Path + "/" + found.ID + "/events"
	}
	page, err := s.Store.ListReplayResults(ctx, v.Org.ID, found.ID, replay.Changed, pageResults, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	if c.QueryParam("cursor") != "" {
		p.First = replays.Path + "/" + found.ID
	}
	if page.Next != "" {
		p.Next = replays.Path + "/" + found.ID + "?" + url.Values{"cursor": {page.Next}}.Encode()
	}
	for _, r := range page.Items {
		row, err := s.resultRow(ctx, v, r, reportWords{kit.ScenarioLabels{Scenarios: plans, Lang: v.Lang}, found.ScenarioID})
		if err != nil {
			return err
		}
		p.Results = append(p.Results, row)
	}
	return kit.RenderPage(c, http.StatusOK, replays.OnePage(p))
}

// reportWords are the words of a scenario's report.
type reportWords struct {
	kit.ScenarioLabels
	scenario string
}

// PropertyName returns the label of a property.
func (w reportWords) PropertyName(property string) string { return w.SlotLabel(w.scenario, property) }

// ValueName returns the label of a value.
func (w reportWords) ValueName(property, value string) string {
	return w.AnswerLabel(w.scenario, property, value)
}

// resultRow returns the row of a result, with the person's name and number if the call can be read.
func (s handlers) resultRow(
	ctx context.Context, v kit.Visitor, r replay.Result, words reportWords,
) (replays.ResultRow, error) {
	row := replays.ResultRow{Result: r, Number: r.CallID, Lines: replays.ListDifferences(v.Lang, r, words)}
	found, err := s.UseCases.FindCall(ctx, v.Org.ID, r.CallID)
	if err == nil && found.PhoneNumber != "" {
		row.Name, row.Number = found.PersonName(), found.PhoneNumber
	}
	if store.CodeOf(err) == store.CodeNotFound || store.IsUnreadable(err) {
		err = nil
	}
	return row, err
}

// watchReplay streams the progress of a replay to its page (SSE).
func (s handlers) watchReplay(c echo.Context) error {
	found, err := s.requestReplay(c)
	if err != nil {
		return err
	}
	return s.StreamEvents(c, "replay/"+found.ID, found.State != replay.Running)
}

func (s handlers) pauseReplay(c echo.Context) error { return s.turnReplay(c, s.UseCases.PauseReplay) }

func (s handlers) resumeReplay(c echo.Context) error { return s.turnReplay(c, s.UseCases.ResumeReplay) }

// turnReplay pauses or resumes a replay.
func (s handlers) turnReplay(
	c echo.Context, turn func(context.Context, service.Caller, string) (replay.Replay, error),
) error {
	_, err := turn(c.Request().Context(), kit.RequestCaller(c), c.Param("replay"))
	if _, ok := errors.AsType[*service.ConflictError](err); ok {
		kit.FlashProblem(c, replays.Ended.In(kit.RequestVisitor(c).Lang))
		err = nil
	}
	if err != nil {
		return err
	}
	return kit.RedirectTo(c, replays.Path+"/"+c.Param("replay"))
}

// askDelete asks for confirmation before a replay is deleted.
func (s handlers) askDelete(c echo.Context) error {
	found, err := s.requestReplay(c)
	if err != nil {
		return err
	}
	l, path := kit.RequestVisitor(c).Lang, replays.Path+"/"+found.ID
	return s.AskQuestion(c, component.AskQuestion{
		Title: replays.DeleteAsk.In(l), Text: replays.DeleteWhat.In(l), Action: path + "/delete",
		Do: replays.Delete.In(l), Danger: true, Back: path,
	})
}

func (s handlers) deleteReplay(c echo.Context) error {
	err := s.UseCases.DeleteReplay(c.Request().Context(), kit.RequestCaller(c), c.Param("replay"))
	return kit.RedirectAfter(c, err, replays.Path, replays.Deleted.In(kit.RequestVisitor(c).Lang))
}

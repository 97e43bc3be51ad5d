package inbound

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	routes "munadi/store/inbound"
	"munadi/store/scenario"
	"munadi/ui/form"
	"munadi/ui/inbound"
)

// shownForms are the forms of the page, as far as one was submitted; nil fields are shown afresh.
type shownForms struct{ route, settings, caller []form.Field }

func (s handlers) showInbound(c echo.Context) error {
	return s.showPage(c, http.StatusOK, shownForms{})
}

// showPage shows the routes and the forms.
func (s handlers) showPage(c echo.Context, status int, shown shownForms) error {
	v := kit.RequestVisitor(c)
	kept, scenarios, err := s.readSettings(c)
	if err != nil {
		return err
	}
	fresh := func() *form.Binder { return form.NewBinder(v.Lang, nil, nil) }
	p := inbound.View{
		Route: shown.route, Settings: shown.settings, Caller: shown.caller,
		ConsolePage: s.ConsoleFrame(c, inbound.Title.In(v.Lang)),
	}
	if p.Route == nil {
		p.Route = inbound.BindRoute(fresh(), &routes.Route{}, kit.BookableScenarios(scenarios))
	}
	if p.Settings == nil {
		p.Settings = inbound.BindSettings(fresh(), &kept)
	}
	if p.Caller == nil && s.Simulated {
		p.Caller = inbound.BindCaller(fresh(), &inbound.SimulatedCaller{})
	}
	p.Routes, p.TableList = kit.PageRows(c, "/inbound", inbound.Table, nameRoutes(kept.Routes, scenarios))
	return kit.RenderPage(c, status, inbound.Page(p))
}

// readSettings reads the settings, and the scenarios that routes may have, by name.
func (s handlers) readSettings(c echo.Context) (routes.Settings, []scenario.Scenario, error) {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	kept, err := s.Store.FindInbound(ctx, v.Org.ID)
	if err != nil {
		return kept, nil, err
	}
	all, err := s.ListScenariosFor(ctx, v)
	slices.SortFunc(all, func(a, b scenario.Scenario) int { return cmp.Compare(a.Name, b.Name) })
	return kept, all, err
}

// nameRoutes adds the names of the scenarios; a deleted one has its id.
func nameRoutes(kept []routes.Route, scenarios []scenario.Scenario) []inbound.NamedRoute {
	all := make([]inbound.NamedRoute, len(kept))
	for i, r := range kept {
		all[i] = inbound.NamedRoute{Route: r, Scenario: kit.ScenarioName(scenarios, r.ScenarioID)}
	}
	return all
}

// exportRoutes exports the routes as CSV.
func (s handlers) exportRoutes(c echo.Context) error {
	kept, scenarios, err := s.readSettings(c)
	return kit.ExportRows(c, "inbound", inbound.Table, nameRoutes(kept.Routes, scenarios), err)
}

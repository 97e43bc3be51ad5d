package scenarios

import (
	"context"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/scenario"
	"munadi/ui/scenarios"
)

// listVersions shows the versions of a scenario, newest first.
func (s handlers) listVersions(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	heads, err := s.Store.ListScenarioVersions(ctx, v.Org.ID, found.ID)
	if err != nil {
		return err
	}
	who, err := s.LoadActorNames(c)
	if err != nil {
		return err
	}
	p := scenarios.VersionsView{
		ConsolePage: s.scenarioFrame(c, scenarios.VersionsTitle.In(v.Lang)), ID: found.ID, Name: found.Name,
		May: v.User.Role.Allows(account.Operator), Zone: s.OrganizationZone(c),
	}
	for _, head := range heads {
		p.Rows = append(p.Rows, versionRow(who, head, found))
	}
	return kit.RenderPage(c, http.StatusOK, scenarios.VersionsPage(p))
}

// versionRow returns a version for display; current is the stored scenario.
func versionRow(n kit.ActorNames, head scenario.VersionHead, current scenario.Scenario) scenarios.VersionRow {
	row := scenarios.VersionRow{
		Number: head.Number, At: head.SavedAt, Draft: head.Draft,
		Current: current.IsPublished() && head.Number == current.Version, Latest: head.Number == current.Latest().Version,
	}
	if head.SavedBy != "" {
		row.Who = n.ActorName(head.SavedBy)
	}
	return row
}

// requestVersion finds the scenario and the version that the path names.
func (s handlers) requestVersion(c echo.Context) (now scenario.Scenario, v scenario.ScenarioVersion, err error) {
	if now, err = s.requestScenario(c); err != nil {
		return now, v, err
	}
	v, err = s.findVersion(c, now.ID, c.Param("version"))
	return now, v, err
}

func (s handlers) findVersion(c echo.Context, id, number string) (scenario.ScenarioVersion, error) {
	n, err := strconv.Atoi(number)
	if err != nil {
		return scenario.ScenarioVersion{}, kit.NewNotFoundError("no such version")
	}
	return s.Store.FindScenarioVersion(c.Request().Context(), kit.RequestVisitor(c).Org.ID, id, n)
}

// showVersion shows the changes of a version.
func (s handlers) showVersion(c echo.Context) error {
	now, version, err := s.requestVersion(c)
	if err != nil {
		return err
	}
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	who, err := s.LoadActorNames(c)
	if err != nil {
		return err
	}
	p := scenarios.VersionView{
		ConsolePage: s.scenarioFrame(c, now.Name), ID: now.ID, Name: version.Name,
		May: v.User.Role.Allows(account.Operator), Zone: s.OrganizationZone(c),
		VersionRow: versionRow(who, version.VersionHead, now),
	}
	before, err := s.versionBefore(ctx, now, version)
	if err != nil {
		return err
	}
	p.Before, p.BuiltIn = before.Version, before.BuiltIn
	if p.Difference, err = diffScenarios(before, version.Scenario, v.Lang); err != nil {
		return err
	}
	return kit.RenderPage(c, http.StatusOK, scenarios.VersionPage(p))
}

// versionBefore returns the scenario that a version is compared with: for the draft the published one, else the
// previous version, for the first one the built-in scenario that it replaced. Without any it has no id.
func (s handlers) versionBefore(
	ctx context.Context, now scenario.Scenario, v scenario.ScenarioVersion,
) (scenario.Scenario, error) {
	if now.Draft != nil && now.Draft.Version == v.Number {
		return now, nil
	}
	before, err := s.Store.FindScenarioVersion(ctx, v.Scenario.OrgID, v.Scenario.ID, v.Number-1)
	if store.CodeOf(err) != store.CodeNotFound {
		return before.Scenario, err
	}
	if builtIn, known := kit.FindScenario(s.UseCases.BuiltIn(), v.Scenario.ID); known && v.Number == 1 {
		builtIn.BuiltIn = true
		return builtIn, nil
	}
	return scenario.Scenario{}, nil
}

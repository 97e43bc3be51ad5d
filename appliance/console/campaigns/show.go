package campaigns

import (
	"bytes"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/campaign"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/campaigns"
	"munadi/ui/locale"
)

// requestCampaign finds the campaign that the path names.
func (s handlers) requestCampaign(c echo.Context) (campaign.Campaign, error) {
	id := c.Param("campaign")
	if !campaign.ValidID(id) {
		return campaign.Campaign{}, kit.NewNotFoundError("no such campaign")
	}
	return s.Store.FindCampaign(c.Request().Context(), kit.RequestVisitor(c).Org.ID, id)
}

func (s handlers) showCampaign(c echo.Context) error {
	found, err := s.requestCampaign(c)
	if err != nil {
		return err
	}
	v := kit.RequestVisitor(c)
	scenarios, err := s.ListScenariosFor(c.Request().Context(), v)
	if err != nil {
		return err
	}
	p := campaigns.CampaignView{
		ConsolePage: s.campaignFrame(c, found.Name), CampaignRow: s.campaignRow(found, scenarios, v.Lang),
		Zone: s.OrganizationZone(c), NotBooked: skippedRows(found, scenarios, v.Lang),
		May: v.User.Role.Allows(account.Operator),
	}
	p.Module = "js/console-campaign.js"
	return kit.RenderPage(c, http.StatusOK, campaigns.CampaignPage(p))
}

// skippedRows returns the rows that were not booked. Those of a campaign of the API, or of an older version, are
// numbered as in a file with a header.
func skippedRows(c campaign.Campaign, plans []scenario.Scenario, l locale.Language) []campaigns.SkippedRow {
	plan, _ := kit.FindScenario(plans, c.ScenarioID)
	rows := make([]campaigns.SkippedRow, len(c.Skipped))
	for i, row := range c.Skipped {
		if row.Row == 0 {
			row.Row = row.Index + 2
		}
		rows[i] = campaigns.SkippedRow{SkippedRow: row, Why: explainSkipped(row, plan, l)}
	}
	return rows
}

// downloadCampaignResults sends all calls of a campaign as CSV. The file is built before it is sent, so that an error
// is a proper response.
func (s handlers) downloadCampaignResults(c echo.Context) error {
	found, err := s.requestCampaign(c)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	out.WriteString(kit.ByteOrderMark)
	scenarios, err := s.UseCases.ListScenarios(c.Request().Context(), found.OrgID)
	if err != nil {
		return err
	}
	labels := kit.ScenarioLabels{Scenarios: scenarios, Lang: kit.RequestVisitor(c).Lang}
	err = s.UseCases.WriteResults(c.Request().Context(), &out, found.OrgID, found.ID, labels.ResultNames(found.ScenarioID))
	if err != nil {
		return err
	}
	kit.SetCSVHeaders(c, found.ID+".csv", resultsName(found, s.OrganizationZone(c))+".csv")
	return c.Blob(http.StatusOK, "text/csv; charset=utf-8", out.Bytes())
}

// askCampaign shows the Confirmation page of a campaign's change.
func (s handlers) askCampaign(
	c echo.Context, found campaign.Campaign, action, title, lead, do string,
) error {
	path := campaigns.CampaignsPath + "/" + found.ID
	return kit.RenderPage(c, http.StatusOK, calls.AskPage(calls.AskView{
		ConsolePage: s.campaignFrame(c, title), Lead: lead, Action: path + "/" + action, Do: do, Back: path,
		BackSay: calls.Back.In(kit.RequestVisitor(c).Lang), Items: []string{found.Name},
	}))
}

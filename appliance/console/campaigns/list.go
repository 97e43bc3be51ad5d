package campaigns

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/csvcell"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/campaign"
	"munadi/store/scenario"
	"munadi/ui/campaigns"
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

const campaignsPerPage = 50

// listCampaigns shows campaigns, newest first, each with its progress and the answers to its main question. A search
// reads all of them.
func (s handlers) listCampaigns(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	p := campaigns.CampaignsView{
		ConsolePage: s.campaignFrame(c, campaigns.Title.In(v.Lang)), Zone: s.OrganizationZone(c),
		May:  v.User.Role.Allows(account.Operator),
		Book: kit.BuildURL(campaigns.CampaignsPath+".xlsx", "q", c.QueryParam("q")),
	}
	if c.QueryParam("q") != "" {
		all, err := s.allCampaigns(c)
		if err != nil {
			return err
		}
		p.Rows, p.TableList = kit.PageRows(c, "/campaigns", campaigns.Table, all)
		return kit.RenderPage(c, http.StatusOK, campaigns.CampaignsPage(p))
	}
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return err
	}
	cursor := c.QueryParam("cursor")
	found, err := s.Store.CampaignsPage(ctx, v.Org.ID, campaignsPerPage, cursor)
	if err != nil {
		return err
	}
	p.Rows = s.campaignRows(found.Items, scenarios, v.Lang)
	p.TableList = component.TableList{
		Action: campaigns.CampaignsPath, CSV: campaigns.CampaignsPath + ".csv", Shown: len(p.Rows),
	}
	if found.Next != "" {
		p.Next = kit.BuildURL(campaigns.CampaignsPath, "cursor", found.Next)
	}
	if cursor != "" {
		p.First = campaigns.CampaignsPath
	}
	return kit.RenderPage(c, http.StatusOK, campaigns.CampaignsPage(p))
}

// allCampaigns returns all campaigns of the organization, newest first.
func (s handlers) allCampaigns(c echo.Context) (rows []campaigns.CampaignRow, err error) {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return nil, err
	}
	for cursor := ""; ; {
		found, err := s.Store.CampaignsPage(ctx, v.Org.ID, kit.MaxStorePage, cursor)
		if err != nil {
			return nil, err
		}
		rows = append(rows, s.campaignRows(found.Items, scenarios, v.Lang)...)
		if cursor = found.Next; cursor == "" {
			return rows, nil
		}
	}
}

// exportCampaigns sends the campaigns that match the query's search as CSV.
func (s handlers) exportCampaigns(c echo.Context) error {
	all, err := s.allCampaigns(c)
	return kit.ExportRows(c, "campaigns", campaigns.Table, all, err)
}

// exportCampaignsBook sends the campaigns that match the query's search as a workbook.
func (s handlers) exportCampaignsBook(c echo.Context) error {
	all, err := s.allCampaigns(c)
	if err != nil {
		return err
	}
	l, zone := kit.RequestVisitor(c).Lang, s.OrganizationZone(c)
	found := campaigns.Table.SearchRows(all, c.QueryParam("q"), kit.ContainsFold)
	sheet := tableSheet(campaigns.Title.In(l), campaigns.Table, found, l, zone)
	rows := sheet.Rows
	sheet.Rows = func(row func([]any) error) error {
		err := rows(row)
		if err == nil && !store.DamageReportOf(c.Request().Context()).IsEmpty() {
			err = row([]any{csvcell.IncompleteMark})
		}
		return err
	}
	return kit.SendWorkbook(c, "campaigns.xlsx", campaigns.Title.In(l)+".xlsx", sheet)
}

// campaignFrame returns the frame of the campaign pages.
func (s handlers) campaignFrame(c echo.Context, title string) layout.ConsolePage {
	frame := s.ConsoleFrame(c, title)
	frame.Styles = append(frame.Styles, "css/console-player.css", "css/console-campaigns.css")
	return frame
}

// campaignRows returns campaigns with the answers to their first question.
func (s handlers) campaignRows(
	all []campaign.Campaign, scenarios []scenario.Scenario, l locale.Language,
) []campaigns.CampaignRow {
	rows := make([]campaigns.CampaignRow, len(all))
	for i, c := range all {
		rows[i] = s.campaignRow(c, scenarios, l)
		rows[i].Slots = rows[i].Slots[:min(1, len(rows[i].Slots))]
	}
	return rows
}

// campaignRow returns a campaign with the counted answers of its people.
func (s handlers) campaignRow(
	c campaign.Campaign, scenarios []scenario.Scenario, l locale.Language,
) campaigns.CampaignRow {
	return campaigns.CampaignRow{
		Campaign: c, Scenario: kit.ScenarioName(scenarios, c.ScenarioID),
		Slots: campaignSlots(c, kit.ScenarioLabels{Scenarios: scenarios, Lang: l}),
		Later: c.Status == campaign.Running && c.StartsAt != nil && c.StartsAt.After(s.Now()),
	}
}

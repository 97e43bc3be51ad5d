package campaigns

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/scenario"
	"munadi/ui/campaigns"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

const campaignsPerPage = 50

// listCampaigns shows campaigns, newest first, each with its progress and the answers to its main question.
func (s handlers) listCampaigns(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return err
	}
	cursor := c.QueryParam("cursor")
	found, err := s.Store.CampaignsPage(ctx, v.Org.ID, campaignsPerPage, cursor)
	if err != nil {
		return err
	}
	p := campaigns.CampaignsView{
		ConsolePage: s.campaignFrame(c, campaigns.Title.In(v.Lang)), Zone: s.OrganizationZone(c),
		May: v.User.Role.Allows(account.Operator),
	}
	for _, one := range found.Items {
		p.Rows = append(p.Rows, s.campaignRow(one, scenarios, v.Lang))
	}
	if found.Next != "" {
		p.Older = campaigns.CampaignsPath + "?cursor=" + url.QueryEscape(found.Next)
	}
	if cursor != "" {
		p.Newer = campaigns.CampaignsPath
	}
	return kit.RenderPage(c, http.StatusOK, campaigns.CampaignsPage(p))
}

// campaignFrame returns the frame of the campaign pages.
func (s handlers) campaignFrame(c echo.Context, title string) layout.ConsolePage {
	frame := s.ConsoleFrame(c, title)
	frame.Styles = append(frame.Styles, "css/console-campaigns.css")
	return frame
}

// campaignLink returns the URL of the people behind a count of a campaign: of a status, or of an answer.
type campaignLink func(status, slot, answer string) string

// campaignRow returns a campaign with the counts of its people.
func (s handlers) campaignRow(
	c campaign.Campaign, scenarios []scenario.Scenario, l locale.Language,
) campaigns.CampaignRow {
	people, link := kit.PeopleTally(c), campaignPeopleLink(c)
	row := campaigns.CampaignRow{
		ID: c.ID, Name: c.Name, Scenario: kit.ScenarioName(scenarios, c.ScenarioID), Status: string(c.Status),
		Starts: c.CreatedAt, Total: people.Total(),
	}
	if c.StartsAt != nil {
		row.Starts = *c.StartsAt
		row.Later = c.Status == campaign.Running && row.Starts.After(s.Now())
	}
	for _, status := range progressOrder() {
		n := people.Counts[status]
		if n == 0 {
			continue
		}
		if status.IsFinal() && status != call.Cancelled { // whom nobody called is not done
			row.Done += n
		}
		row.Parts = append(row.Parts, campaigns.CampaignPart{
			State: string(status),
			CampaignCount: campaigns.CampaignCount{
				Label: locale.StatusWord(l, string(status)), Count: n, Of: row.Total,
				URL: link(string(status), "", ""),
			},
		})
	}
	if slots := campaignSlots(c, kit.ScenarioLabels{Scenarios: scenarios, Lang: l}, link); len(slots) > 0 {
		row.MainLabel, row.Main = slots[0].Label, slots[0].Counts
	}
	return row
}

// progressOrder returns the order of statuses in a campaign's bar: ended ones first, waiting ones last.
func progressOrder() []call.CallStatus {
	return []call.CallStatus{
		call.Completed, call.UserRejected, call.NoAnswer, call.UserUnavailable, call.Automation, call.Failed, call.Cancelled,
		call.InProgress, call.Dialing, call.Scheduled,
	}
}

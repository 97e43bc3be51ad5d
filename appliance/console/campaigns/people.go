package campaigns

import (
	"maps"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/ui/campaigns"
	"munadi/ui/locale"
)

const peoplePerPage = 100

// listCampaignPeople lists the people behind a count of a campaign's page.
func (s handlers) listCampaignPeople(c echo.Context) error {
	found, err := s.requestCampaign(c)
	if err != nil {
		return err
	}
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return err
	}
	labels := kit.ScenarioLabels{Scenarios: scenarios, Lang: v.Lang}
	f, said := peopleFilter(c, found, labels)
	if said == "" && c.QueryParam("status") != "" {
		return echo.ErrNotFound
	}
	cursor := c.QueryParam("cursor")
	people, err := s.UseCases.FindPeople(ctx, found.OrgID, found.ID, f, peoplePerPage, cursor)
	if err != nil {
		return err
	}
	p := campaigns.CampaignPeopleView{
		ConsolePage: s.campaignFrame(c, found.Name), Name: found.Name, Filter: said, Zone: s.OrganizationZone(c),
		Back: campaigns.CampaignsPath + "/" + found.ID, Count: f.CountIn(kit.PeopleTally(found)),
	}
	for _, one := range people.Items {
		p.Rows = append(p.Rows, kit.CallRow(one, labels))
	}
	if cursor != "" {
		p.Newer = peoplePageURL(c, "")
	}
	if people.Next != "" {
		p.Older = peoplePageURL(c, people.Next)
	}
	return kit.RenderPage(c, http.StatusOK, campaigns.CampaignPeoplePage(p))
}

// peopleFilter parses and describes the filter of the query. An unknown status has no description.
func peopleFilter(c echo.Context, of campaign.Campaign, labels kit.ScenarioLabels) (
	f service.PeopleFilter, said string,
) {
	status, slot, answer := c.QueryParam("status"), c.QueryParam("slot"), c.QueryParam("answer")
	switch {
	case slot != "":
		f.Slot, f.Answer = slot, answer
		said = labels.SlotLabel(of.ScenarioID, slot) + ": " + labels.AnswerLabel(of.ScenarioID, slot, answer)
	case status == campaigns.UnreachedStatus:
		f.Unreached, said = true, campaigns.Unreached.In(labels.Lang)
	case kit.IsStatus(status):
		f.Status, said = call.CallStatus(status), locale.StatusWord(labels.Lang, status)
	}
	return f, said
}

// peoplePageURL returns the URL of the current list at a cursor; empty: its first page.
func peoplePageURL(c echo.Context, cursor string) string {
	q := maps.Clone(c.QueryParams())
	if q.Del("cursor"); cursor != "" {
		q.Set("cursor", cursor)
	}
	return c.Request().URL.Path + "?" + q.Encode()
}

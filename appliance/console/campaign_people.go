package console

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/ui/locale"
	"munadi/ui/page"
)

const (
	peoplePerPage   = 100
	unreachedPeople = "unreached" // stands for a status: people whom no call reached
)

// campaignPeople links the counts of a campaign's people.
func campaignPeople(c campaign.Campaign) campaignLink {
	return func(status, slot, answer string) string {
		q := url.Values{}
		for name, value := range map[string]string{"status": status, "slot": slot, "answer": answer} {
			if value != "" {
				q.Set(name, value)
			}
		}
		return page.CampaignsPath + "/" + c.ID + "/people?" + q.Encode()
	}
}

// listCampaignPeople lists the people behind a count of a campaign's page.
func (s *ConsoleService) listCampaignPeople(c echo.Context) error {
	found, err := s.campaignOf(c)
	if err != nil {
		return err
	}
	v, ctx := requestVisitor(c), c.Request().Context()
	scenarios, err := s.UseCases.ListScenarios(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	labels := scenarioLabels{scenarios, v.Lang}
	f, said := peopleFilter(c, found, labels)
	people, err := s.UseCases.FindPeople(ctx, found.OrgID, found.ID, f)
	if err != nil {
		return err
	}
	p := page.CampaignPeopleView{
		ConsolePage: s.campaignFrame(c, found.Name), Name: found.Name, Filter: said, Zone: s.organizationZone(c),
		Back: page.CampaignsPath + "/" + found.ID, Count: len(people),
	}
	at, _ := strconv.Atoi(c.QueryParam("page"))
	at = min(max(at, 0), len(people)/peoplePerPage)
	for _, one := range people[at*peoplePerPage : min((at+1)*peoplePerPage, len(people))] {
		p.Rows = append(p.Rows, rowOf(one, labels))
	}
	if at > 0 {
		p.Newer = peoplePage(c, at-1)
	}
	if (at+1)*peoplePerPage < len(people) {
		p.Older = peoplePage(c, at+1)
	}
	return renderPage(c, http.StatusOK, page.CampaignPeoplePage(p))
}

// peopleFilter parses the query, and says in words what it lets through. An unknown status lets all through.
func peopleFilter(c echo.Context, of campaign.Campaign, labels scenarioLabels) (f service.PeopleFilter, said string) {
	switch status := c.QueryParam("status"); {
	case status == unreachedPeople:
		f.Unreached, said = true, locale.CampaignsIn(labels.lang).Unreached
	case isStatus(status):
		f.Status, said = call.CallStatus(status), locale.StatusWord(labels.lang, status)
	}
	if slot, answer := c.QueryParam("slot"), c.QueryParam("answer"); slot != "" && answer != "" {
		f.Slot, f.Answer = slot, answer
		said = labels.slotLabel(of.ScenarioID, slot) + ": " + labels.answerLabel(of.ScenarioID, slot, answer)
	}
	return f, said
}

// peoplePage is the address of another page of the list on show.
func peoplePage(c echo.Context, at int) string {
	q := maps.Clone(c.QueryParams())
	q.Set("page", strconv.Itoa(at))
	return c.Request().URL.Path + "?" + q.Encode()
}

// The bounds of [peopleCache].
const (
	maxPeopleCached = 100
	maxPeopleAge    = 3 * time.Second
)

// peopleCache keeps the counted people of campaigns, since counting reads all calls and the open pages of a running
// campaign ask with every change. A count holds while the campaign's counters of calls are as they were, and for
// [maxPeopleAge] while calls of it wait or run.
type peopleCache struct {
	mu   sync.Mutex
	byID map[string]countedPeople
}

// countedPeople are the people of a campaign as they were counted.
type countedPeople struct {
	people service.CampaignPeople
	calls  campaign.CampaignTally // the counters at that time
	at     time.Time
}

// countPeople counts the people of a campaign, unless the last count still holds.
func (p *peopleCache) countPeople(
	ctx context.Context, cases *service.UseCases, c campaign.Campaign,
) (service.CampaignPeople, error) {
	now := time.Now()
	p.mu.Lock()
	last, known := p.byID[c.ID]
	p.mu.Unlock()
	recent := c.Tally.HasLiveCalls() && now.Sub(last.at) < maxPeopleAge
	if known && (recent || reflect.DeepEqual(last.calls, c.Tally)) {
		return last.people, nil
	}
	counted, err := cases.CountPeople(ctx, c.OrgID, c.ID)
	if err != nil {
		return counted, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byID == nil || len(p.byID) >= maxPeopleCached {
		p.byID = map[string]countedPeople{}
	}
	p.byID[c.ID] = countedPeople{counted, c.Tally, now}
	return counted, nil
}

package campaigns

import (
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// CampaignsPath is where the list of campaigns lies.
const CampaignsPath = "/console/campaigns"

// CampaignsView is the list of campaigns.
type CampaignsView struct {
	layout.ConsolePage
	component.TableList
	Rows []CampaignRow
	Zone *time.Location
	May  bool   // make campaigns
	Book string // URL of the list as a workbook
}

func (p CampaignsView) at() list.At { return list.At{Lang: p.Lang, Zone: p.Zone} }

// CampaignRow is a campaign with what its record does not say.
type CampaignRow struct {
	campaign.Campaign
	Scenario string         // its name
	Slots    []CampaignSlot // its questions; in lists the first
	Later    bool           // it runs, and its start lies ahead
}

// Table are the campaigns, on the page, as CSV and as a workbook.
var Table = list.Table[CampaignRow]{
	{Key: "id", Text: func(r CampaignRow) string { return r.ID }},
	{
		Title: Name, Key: "name", Searched: true, Text: func(r CampaignRow) string { return r.Name },
		Cell: func(_ list.At, r CampaignRow) templ.Component { return campaignLink(r) },
	},
	{
		Title: Status, Key: "status", Text: CampaignRow.shownState,
		Cell: func(at list.At, r CampaignRow) templ.Component { return campaignBadge(at.Lang, r) },
	},
	{
		Title: Progress, Key: "people_done", Number: true, Text: func(r CampaignRow) string { return strconv.Itoa(r.done()) },
		Cell: func(at list.At, r CampaignRow) templ.Component { return campaignDone(at.Lang, r) },
	},
	{Key: "people", Text: func(r CampaignRow) string { return strconv.Itoa(r.total()) }},
	{
		Title: Answers,
		Cell:  func(_ list.At, r CampaignRow) templ.Component { return mainAnswers(r) },
	},
	{Title: Scenario, Key: "scenario", Searched: true, Text: func(r CampaignRow) string { return r.Scenario }},
	{Title: Began, Key: "starts_at", Time: CampaignRow.begins},
}

// begins returns the start: the one that was asked for, else the creation.
func (r CampaignRow) begins() time.Time {
	if r.StartsAt != nil {
		return *r.StartsAt
	}
	return r.CreatedAt
}

// shownState returns the state that a badge shows: a campaign that starts later waits like its calls.
func (r CampaignRow) shownState() string {
	if r.Later {
		return "scheduled"
	}
	return string(r.Status)
}

// CampaignPath returns where the campaign's page lies.
func (r CampaignRow) CampaignPath() string { return CampaignsPath + "/" + r.ID }

// PeoplePath returns where the people behind a count lie: of a status, or of an answer.
func PeoplePath(id, status, slot, answer string) string {
	query := url.Values{}
	for name, value := range map[string]string{"status": status, "slot": slot, "answer": answer} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return CampaignsPath + "/" + id + "/people?" + query.Encode()
}

// UnreachedStatus filters people whom no call reached.
const UnreachedStatus = "unreached"

func (r CampaignRow) people() campaign.PeopleTally {
	if r.Tally.People == nil {
		return *campaign.NewPeopleTally()
	}
	return *r.Tally.People
}

func (r CampaignRow) total() int { return r.people().Total() }

// done returns how many people need no further call; whom nobody called is not done.
func (r CampaignRow) done() (n int) {
	for status, count := range r.people().Counts {
		if status.IsFinal() && status != call.Cancelled {
			n += count
		}
	}
	return n
}

// doneText says how many people need no further call.
func (r CampaignRow) doneText(l locale.Language) string {
	return locale.FillSentence(Done.In(l), "done", strconv.Itoa(r.done()), "total", strconv.Itoa(r.total()))
}

// percentText is the share of people who need no further call.
func (r CampaignRow) percentText() string { return percentOf(r.done(), r.total()) }

// percentOf writes a share as whole percents, rounded, with 100% for all alone; "" of nothing.
func percentOf(n, total int) string {
	if total == 0 {
		return ""
	}
	percent := (200*n + total) / (2 * total)
	if n < total {
		percent = min(percent, 99)
	}
	return strconv.Itoa(percent) + "%"
}

// parts returns the counts of people by status, without empty ones: ended ones first, waiting ones last.
func (r CampaignRow) parts(l locale.Language) (parts []campaignPart) {
	people := r.people()
	for _, status := range []call.CallStatus{
		call.Completed, call.UserRejected, call.NoAnswer, call.UserUnavailable, call.Automation, call.Failed, call.Cancelled,
		call.InProgress, call.Dialing, call.Scheduled,
	} {
		if n := people.Counts[status]; n > 0 {
			parts = append(parts, campaignPart{
				State: string(status),
				CampaignCount: CampaignCount{
					Label: locale.StatusWord(l, string(status)), Count: n, Of: people.Total(),
					URL: PeoplePath(r.ID, string(status), "", ""),
				},
			})
		}
	}
	return parts
}

// campaignPart counts the people of one status.
type campaignPart struct {
	CampaignCount
	State string
}

// CampaignCount is a counted answer or status, with the list of its people.
type CampaignCount struct {
	Label string
	Count int
	Of    int    // all that were counted with it
	URL   string // empty: no list
}

// CampaignSlot is one question of the campaign with its counted answers, most frequent first.
type CampaignSlot struct {
	Label  string
	Counts []CampaignCount
	Others int // answers that are not listed one by one
}

// CampaignPeopleView lists people of a campaign, each with the call that decided.
type CampaignPeopleView struct {
	layout.ConsolePage
	Name, Filter string // of the campaign; what the people have in common, empty for all
	Back         string
	Count        int // on all pages
	Rows         []calls.CallRow
	Zone         *time.Location
	Newer, Older string // addresses of the neighbouring pages; empty: none
}

// peopleTable are the people of a campaign, each with the call that decided.
var peopleTable = list.Table[calls.CallRow]{
	{Title: calls.Person, Cell: func(at list.At, r calls.CallRow) templ.Component { return personLink(at.Lang, r) }},
	{Title: calls.Status, Cell: func(at list.At, r calls.CallRow) templ.Component { return personState(at.Lang, r) }},
	{Title: calls.Time, Time: func(r calls.CallRow) time.Time { return r.At }},
	{Title: PersonCalls, Number: true, Text: func(r calls.CallRow) string { return strconv.Itoa(r.Attempt) }},
}

// CampaignView is the page of a campaign.
type CampaignView struct {
	layout.ConsolePage
	CampaignRow
	Zone      *time.Location
	NotBooked []SkippedRow
	May       bool // pause, resume, cancel and retry
}

func (p CampaignView) isOpen() bool { return p.IsUnfinished() }

// unreached returns the number of people whom no call reached.
func (p CampaignView) unreached() int { return p.people().Unreached }

// mayRetry says whether there is anybody to be called again.
func (p CampaignView) mayRetry() bool {
	return p.May && p.unreached() > 0 && p.Status != campaign.Cancelled
}

// callsPath returns the list of the campaign's calls.
func (p CampaignView) callsPath() string {
	return calls.CallsPath + "?campaign=" + url.QueryEscape(p.ID)
}

// livePath returns the address of the campaign's events; empty once it has ended.
func (p CampaignView) livePath() string {
	if p.Loading || p.Tally.HasLiveCalls() {
		return calls.CallsPath + "/events"
	}
	return ""
}

// barParts lays out the people by status as a bar that is 1000 wide.
func (r CampaignRow) barParts(l locale.Language) []barPart {
	var out []barPart
	at, all := 0.0, max(r.total(), 1)
	for _, p := range r.parts(l) {
		width := 1000 * float64(p.Count) / float64(all)
		out = append(out, barPart{formatUnits(at), formatUnits(width), p.State})
		at += width
	}
	return out
}

// barPart is a rectangle of a bar.
type barPart struct{ X, Width, State string }

func formatUnits(n float64) string { return strconv.FormatFloat(n, 'f', 2, 64) }

// answerBar is the width of a count's bar, of 1000.
func (c CampaignCount) answerBar() string {
	return formatUnits(1000 * float64(c.Count) / float64(max(c.Of, 1)))
}

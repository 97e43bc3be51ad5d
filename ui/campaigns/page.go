package campaigns

import (
	"strconv"
	"time"

	"munadi/ui/calls"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// CampaignsPath is where the list of campaigns lies.
const CampaignsPath = "/console/campaigns"

// CampaignsView is the list of campaigns.
type CampaignsView struct {
	layout.ConsolePage
	Rows         []CampaignRow
	Zone         *time.Location
	May          bool   // make campaigns
	Newer, Older string // addresses of the neighbouring pages; empty: none
}

// CampaignRow is one campaign in a list.
type CampaignRow struct {
	ID, Name, Scenario, Status string
	Starts                     time.Time
	Done, Total                int             // people who need no further call, and all
	Parts                      []CampaignPart  // the same by status, without those that have none
	Main                       []CampaignCount // answers to its main question
	MainLabel                  string
	Later                      bool // it runs, and its start lies ahead
}

// shownState returns the state that a badge shows: a campaign that starts later waits like its calls.
func (r CampaignRow) shownState() string {
	if r.Later {
		return "scheduled"
	}
	return r.Status
}

// CampaignPath returns where the campaign's page lies.
func (r CampaignRow) CampaignPath() string { return CampaignsPath + "/" + r.ID }

// doneText says how many people need no further call.
func (r CampaignRow) doneText(l locale.Language) string {
	return locale.FillSentence(Done.In(l), "done", strconv.Itoa(r.Done), "total", strconv.Itoa(r.Total))
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

// percentText is the share of people who need no further call.
func (r CampaignRow) percentText() string { return percentOf(r.Done, r.Total) }

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

// CampaignPart counts the people of one status.
type CampaignPart struct {
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

// CampaignView is the page of a campaign.
type CampaignView struct {
	layout.ConsolePage
	CampaignRow
	Zone         *time.Location
	Loading      bool // its calls are being booked
	Slots        []CampaignSlot
	Unreached    int    // people whom no call reached
	UnreachedURL string // their list
	Made         time.Time
	StartsAt     *time.Time
	EndsAt       *time.Time
	Pace         int // calls a minute; 0: no limit
	Lines        int // calls at once; 0: no limit
	Attempts     int
	Caller       string // number that the people called see, E.164; empty: the organization's, else the trunk's
	Waits        string // minutes before each retry; empty: none
	Skipped      []SkippedLine
	SkippedLost  bool // they are damaged on the disk
	May          bool // pause, resume, cancel and retry
	Calls        string
	Live         string // address of its events; empty once it has ended
}

func (p CampaignView) isOpen() bool { return p.Status == "running" || p.Status == "paused" }

// mayRetry says whether there is anybody to be called again.
func (p CampaignView) mayRetry() bool { return p.May && p.Unreached > 0 && p.Status != "cancelled" }

// SkippedLine is a row of the file that was not booked.
type SkippedLine struct {
	Row                   int
	Number, Reason, Fault string
}

// barX and barWidth lay out a part of a bar that is 1000 wide.
func (r CampaignRow) barParts() []barPart {
	var out []barPart
	at, all := 0.0, max(r.Total, 1)
	for _, p := range r.Parts {
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

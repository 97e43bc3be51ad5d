package rules

import (
	"fmt"
	"strings"

	"munadi/store/callrules"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// weekHours are the open hours of each day from Sunday, from and to; 0 and 0: the day is closed.
type weekHours [7][2]int

// workingWeek is what [ProposeHours] proposes.
var workingWeek = weekHours{{9, 17}, {9, 17}, {9, 17}, {9, 17}, {9, 17}}

// proposedWeek is a week to take over with one press.
type proposedWeek struct {
	name  locale.Text
	hours weekHours
}

func proposedWeeks() []proposedWeek {
	long := weekHours{{9, 21}, {9, 21}, {9, 21}, {9, 21}, {9, 21}, {16, 21}, {9, 21}}
	return []proposedWeek{{WorkWeek, workingWeek}, {LongWeek, long}}
}

// WorkingWeek returns the calling hours that [ProposeHours] proposes.
func WorkingWeek() callrules.CallingHours {
	hours := callrules.CallingHours{}
	for i, day := range callrules.AllWeekdays() {
		if open := workingWeek[i]; open != [2]int{} {
			slot := callrules.HourSlot{From: fmt.Sprintf("%02d:00", open[0]), To: fmt.Sprintf("%02d:00", open[1])}
			hours[day] = []callrules.HourSlot{slot}
		}
	}
	return hours
}

// minutesJSON returns the slots of each day in minutes since midnight, as the script of the page reads them.
func (w weekHours) minutesJSON() string {
	days := make([]string, len(w))
	for i, open := range w {
		if open != [2]int{} {
			days[i] = fmt.Sprintf("[%d,%d]", 60*open[0], 60*open[1])
		}
	}
	return "[[" + strings.Join(days, "],[") + "]]"
}

// Proposals are rules that an organization has not set yet, to take over with one press each.
type Proposals struct {
	Names []string // of [ProposalText]; none: nothing is shown
	CSRF  string
	Lang  locale.Language
	Next  string // the page to lead back to
}

// Names of proposals.
const (
	ProposeHours     = "hours"     // the calling hours of a working week
	ProposeAttempts  = "attempts"  // at most two attempts a day to a number
	ProposeRetention = "retention" // recordings and texts end after 90 days
)

// NewProposals returns the proposals of a page.
func NewProposals(p layout.ConsolePage, names []string) Proposals {
	return Proposals{Names: names, CSRF: p.CSRF, Lang: p.Lang, Next: p.Path}
}

// ProposalText describes a proposal.
func ProposalText(l locale.Language, name string) string {
	return map[string]locale.Text{
		ProposeHours: ProposalHours, ProposeAttempts: ProposalAttempts, ProposeRetention: ProposalRetention,
	}[name].In(l)
}

package rules

import (
	"munadi/ui/layout"
	"munadi/ui/locale"
)

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

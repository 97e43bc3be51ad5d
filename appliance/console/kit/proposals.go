package kit

import (
	"github.com/labstack/echo/v4"

	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/rules"
)

// ProposedRules returns the usual rules that the viewed organization has not set, for an owner; none for others.
func (s *Console) ProposedRules(c echo.Context, p layout.ConsolePage) rules.Proposals {
	kept, err := s.RequestRules(c)
	if err != nil || !RequestVisitor(c).User.Role.Allows(account.Owner) {
		return rules.Proposals{}
	}
	var names []string
	if len(kept.CallingHours) == 0 {
		names = append(names, rules.ProposeHours)
	}
	if kept.AttemptsPerDay == 0 && kept.AttemptsPerWeek == 0 {
		names = append(names, rules.ProposeAttempts)
	}
	if kept.RetentionDays.Audio == 0 && kept.RetentionDays.Transcript == 0 {
		names = append(names, rules.ProposeRetention)
	}
	return rules.NewProposals(p, names)
}

package rules

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/callrules"
	uirules "munadi/ui/rules"
)

// The rules that are proposed.
const (
	proposedAttempts  = 2  // a day to a number
	proposedRetention = 90 // days
)

// proposals change the rules, by name; a rule that was set meanwhile stays.
var proposals = map[string]func(*callrules.CallRules){
	uirules.ProposeHours: func(r *callrules.CallRules) {
		if len(r.CallingHours) == 0 {
			r.CallingHours = uirules.WorkingWeek()
		}
	},
	uirules.ProposeAttempts: func(r *callrules.CallRules) {
		if r.AttemptsPerDay == 0 {
			r.AttemptsPerDay = proposedAttempts
		}
	},
	uirules.ProposeRetention: func(r *callrules.CallRules) {
		if r.RetentionDays.Audio == 0 && r.RetentionDays.Transcript == 0 {
			r.RetentionDays.Audio, r.RetentionDays.Transcript = proposedRetention, proposedRetention
		}
	},
}

// takeProposal sets one of the proposed rules.
func (s handlers) takeProposal(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	propose, known := proposals[c.FormValue("rule")]
	if !known {
		return echo.NewHTTPError(http.StatusUnprocessableEntity, uirules.ProposalUnknown.In(l))
	}
	_, err := s.UseCases.PatchRules(
		c.Request().Context(), kit.RequestCaller(c), nil,
		func(kept callrules.CallRules) (callrules.CallRules, service.FieldViolations, error) {
			propose(&kept)
			return kept, nil, nil
		},
	)
	return kit.RedirectAfter(c, err, kit.SafeNextPath(c.FormValue("next")), uirules.SaidSaved.In(l))
}

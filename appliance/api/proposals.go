package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// listProposals answers the phrases that a scenario could learn from the corrections of staff.
func (s *APIService) listProposals(c echo.Context) error {
	all, err := s.UseCases.ListProposals(c.Request().Context(), requestPrincipal(c).OrgID, c.Param("scenario_id"))
	return answer(c, http.StatusOK, append([]scenario.PhraseProposal{}, all...), err)
}

// proposalDecision is the request body of POST /scenarios/{scenario_id}/phrase-proposals/{proposal_id}.
type proposalDecision struct {
	Accept *bool `json:"accept"`
}

// decideProposal accepts or dismisses a proposed phrase.
func (s *APIService) decideProposal(c echo.Context) error {
	found, err := s.scenarioOf(c)
	if err != nil {
		return err
	}
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	var b proposalDecision
	faults := strictjson.BindValue(parsed, &b)
	if b.Accept == nil && len(faults) == 0 {
		faults = append(faults, strictjson.Violation{Field: "accept", Message: "is required: true or false"})
	}
	if err := newValidationError(faults); err != nil {
		return err
	}
	decide := s.UseCases.DismissProposal
	if *b.Accept {
		decide = s.UseCases.AcceptProposal
	}
	decided, err := decide(c.Request().Context(), requestCaller(c), found.ID, c.Param("proposal_id"))
	return answer(c, http.StatusOK, decided, err)
}

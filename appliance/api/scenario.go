package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/service"
	"munadi/store/record"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// listScenarios answers the organization's scenarios and the built-in ones that it has not replaced, sorted by id: all
// of them, unless a limit asks for pages.
func (s *APIService) listScenarios(c echo.Context) error {
	q := queryOf(c)
	limit := q.limitParam()
	orgID := requestPrincipal(c).OrgID
	list := []string{"scenarios", orgID}
	after, err := record.PlaceOfCursor(list, q.textParam("cursor"))
	if err := q.validationError(err); err != nil {
		return err
	}
	all, err := s.UseCases.ListScenarios(c.Request().Context(), orgID)
	if err != nil {
		return err
	}
	if !q.values.Has("limit") {
		limit = len(all)
	}
	page, next := pageScenarios(all, after, limit)
	if next != "" {
		next = record.EncodeCursor(list, next)
	}
	return answerPage(c, http.StatusOK, page, next)
}

// pageScenarios returns the scenarios whose ids follow after, at most limit, and the last one's id if there are more.
func pageScenarios(all []scenario.Scenario, after string, limit int) (page []apimodel.ScenarioBody, next string) {
	slices.SortFunc(all, func(a, b scenario.Scenario) int { return strings.Compare(a.ID, b.ID) })
	page = []apimodel.ScenarioBody{}
	for _, one := range all {
		if one.ID <= after {
			continue
		}
		if len(page) == limit {
			return page, page[limit-1].ID
		}
		page = append(page, apimodel.ScenarioOf(one))
	}
	return page, ""
}

// getScenario answers one scenario: its draft, if there is one.
func (s *APIService) getScenario(c echo.Context) error {
	found, err := s.scenarioOf(c)
	if err != nil {
		return err
	}
	setETag(c, found.Latest())
	return writeSuccess(c, http.StatusOK, apimodel.ScenarioOf(found))
}

// createScenario adds a scenario to the organization.
func (s *APIService) createScenario(c echo.Context) error {
	plan, err := bindScenario(c, "scenario_"+uuid.NewString(), true)
	if err != nil {
		return err
	}
	saved, err := s.UseCases.CreateScenario(c.Request().Context(), requestCaller(c), plan)
	if err != nil {
		return err
	}
	s.setLocation(c, "/scenarios/"+plan.ID)
	return s.answerSaved(c, http.StatusCreated, saved)
}

// putScenario replaces a scenario, or stores a draft beside it; a built-in one is copied to the organization with the
// new content.
func (s *APIService) putScenario(c echo.Context) error {
	before, err := s.scenarioOf(c)
	if err != nil {
		return err
	}
	plan, err := bindScenario(c, before.ID, false)
	if err != nil {
		return err
	}
	saved, err := s.UseCases.PutScenario(c.Request().Context(), requestCaller(c), plan, ifMatch[scenario.Scenario](c))
	if err != nil {
		return err
	}
	setETag(c, saved.Scenario.Latest())
	return s.answerSaved(c, http.StatusOK, saved)
}

// deleteScenario deletes a scenario of the organization. If it replaced a built-in one, the built-in one applies
// again.
func (s *APIService) deleteScenario(c echo.Context) error {
	id := c.Param("scenario_id")
	err := s.UseCases.DeleteScenario(c.Request().Context(), requestCaller(c), id)
	return answer(c, http.StatusOK, deletedBody{id, true}, err)
}

// scenarioOf finds the scenario that the path names.
func (s *APIService) scenarioOf(c echo.Context) (scenario.Scenario, error) {
	orgID := requestPrincipal(c).OrgID
	found, known, err := s.UseCases.FindScenario(c.Request().Context(), orgID, c.Param("scenario_id"))
	if err == nil && !known {
		err = notFound()
	}
	return found, err
}

// bindScenario parses and validates the scenario in a request body. Its id defaults to id, and must be id unless
// mayDiffer is set. The error lists all violations. Read-only fields are ignored, so that the response of a GET may be
// sent back.
func bindScenario(c echo.Context, id string, mayDiffer bool) (scenario.Scenario, error) {
	parsed, err := readJSONObject(c)
	if err != nil {
		return scenario.Scenario{}, err
	}
	var found service.FieldViolations
	if given, there := parsed["id"]; !there || given == nil {
		parsed["id"] = id
	} else if !mayDiffer && given != id {
		found.AddViolation("id", "must be the id in the URL: it cannot be changed")
		parsed["id"] = id
	}
	data, err := json.Marshal(parsed)
	if err != nil {
		return scenario.Scenario{}, fmt.Errorf("encode the scenario: %w", err)
	}
	plan, faults, err := scenario.DecodeScenario(c.Request().Context(), data)
	if err != nil {
		return plan, &strictjson.SyntaxError{Message: err.Error()}
	}
	found.AddAll(faults)
	return plan, newValidationError(found)
}

// testScenario runs the tests of a scenario: of its draft, or without one of the published one. A body is not required
// and not read.
func (s *APIService) testScenario(c echo.Context) error {
	run, err := s.UseCases.TestScenario(c.Request().Context(), requestPrincipal(c).OrgID, c.Param("scenario_id"))
	return answer(c, http.StatusOK, run, err)
}

// callTestBody is the request body of POST /calls/{call_id}/test.
type callTestBody struct {
	Name  string `json:"name"`
	Voice bool   `json:"voice"`
}

// callTest is a test that was made of a call, and the scenario whose draft it was added to.
type callTest struct {
	ScenarioID string                `json:"scenario_id"`
	Test       scenario.ScenarioTest `json:"test"`
}

// keepCallTest makes a test of a call and adds it to the draft of its scenario.
func (s *APIService) keepCallTest(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	b := callTestBody{Name: found.ID}
	if err := newValidationError(strictjson.BindValue(parsed, &b)); err != nil {
		return err
	}
	made, err := s.UseCases.KeepCallTest(c.Request().Context(), requestCaller(c), found.ID, b.Name, b.Voice)
	return answer(c, http.StatusCreated, callTest(made), err)
}

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

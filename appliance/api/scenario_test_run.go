package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store/scenario"
	"munadi/store/strictjson"
)

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

package trunks

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/ui/form"
	"munadi/ui/trunks"
)

// newTest returns the form of a test call, with the scenarios of the viewed organization.
func (s handlers) newTest(c echo.Context) (*trunks.TestCall, error) {
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return nil, err
	}
	test := &trunks.TestCall{}
	for _, plan := range k.Scenarios {
		if plan.IsPublished() {
			test.Scenarios = append(test.Scenarios, form.Option{Value: plan.ID, Name: plan.Name})
		}
	}
	if len(test.Scenarios) > 0 {
		test.Scenario = test.Scenarios[0].Value
	}
	return test, nil
}

// testTrunk books a call over the trunk alone, of one attempt, and leads to its page.
func (s handlers) testTrunk(c echo.Context) error {
	v := kit.RequestVisitor(c)
	t, err := s.requestTrunk(c)
	if err != nil {
		return err
	}
	test, err := s.newTest(c)
	if err != nil {
		return err
	}
	if fields := trunks.BindTest(kit.BindSent(c), test); form.AnyFault(fields...) {
		return s.trunkPage(c, http.StatusUnprocessableEntity, t, trunks.OneView{Test: fields})
	}
	once := 1
	booked, err := s.UseCases.BookCall(c.Request().Context(), kit.RequestCaller(c), service.BookingRequest{
		PhoneNumber: test.Number, ScenarioID: test.Scenario, Trunk: t.Name, Retry: &service.RetryRequest{MaxAttempts: &once},
	})
	if broken, is := errors.AsType[*service.ViolationError](err); is {
		found := kit.FormViolations(broken.Violations)
		for i := range found {
			if found[i].Path != "phone_number" { // a missing variable is a fault of the scenario's choice
				found[i].Path = "scenario_id"
			}
		}
		p := trunks.OneView{Test: trunks.BindTest(form.NewBinder(v.Lang, nil, found), test)}
		return s.trunkPage(c, http.StatusUnprocessableEntity, t, p)
	}
	if err != nil {
		return err
	}
	return kit.RedirectTo(c, kit.Root+"/calls/"+booked.Call.ID)
}

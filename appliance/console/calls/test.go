package calls

import (
	"errors"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/ui/calls"
	"munadi/ui/locale"
)

// keepTest makes a test of a call, and shows the scenario's editor, whose draft has it.
func (s handlers) keepTest(c echo.Context) error {
	found, err := s.requestCall(c)
	if err != nil {
		return err
	}
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return err
	}
	l := kit.RequestVisitor(c).Lang
	name := locale.FillSentence(calls.CallTestName.In(l), "at", found.CreatedAt.In(k.Zone).Format("2006-01-02 15:04"))
	made, err := s.UseCases.KeepCallTest(
		c.Request().Context(), kit.RequestCaller(c), found.ID, name, c.FormValue("voice") == "true")
	var conflict *service.ConflictError
	var broken *service.ViolationError
	switch {
	case errors.As(err, &conflict):
		kit.FlashProblem(c, calls.CallTestNot.In(l))
	case errors.As(err, &broken):
		kit.FlashProblem(c, calls.CallTestFaults.In(l))
	case err != nil:
		return err
	default:
		said := locale.FillSentence(calls.CallTestKept.In(l), "name", made.Test.Name)
		return kit.RedirectSaying(c, kit.Root+"/scenarios/"+made.ScenarioID+"#tests", said)
	}
	return kit.RedirectTo(c, calls.CallsPath+"/"+found.ID)
}

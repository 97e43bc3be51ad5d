package accounts

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/ui/accounts"
)

// firstNumber is the callee of the first call: a simulated person who answers and says yes. The scenario is built in,
// so that a new installation has it.
const (
	firstNumber   = "+966500000000"
	firstScenario = "appointment_confirmation"
)

// showWelcome shows the second page of the set-up.
func (s handlers) showWelcome(c echo.Context) error {
	v := kit.RequestVisitor(c)
	p := accounts.WelcomeView{ConsolePage: s.ConsoleFrame(c, accounts.SetUpKeyTitle.In(v.Lang))}
	p.Key = s.FlashSecrets.TakeSecret(v.Session, kit.KeySecret)
	if v.User.IsGovernor() {
		p.Pitch = s.OfferModel()
	}
	if s.Simulated {
		p.Number = firstNumber
	}
	p.Proposed = s.ProposedRules(c, p.ConsolePage)
	return kit.RenderPage(c, http.StatusOK, accounts.WelcomePage(p))
}

// bookFirstCall books a call to the simulated callee and shows it.
func (s handlers) bookFirstCall(c echo.Context) error {
	if !s.Simulated {
		return echo.NewHTTPError(http.StatusConflict, "this needs the simulator, and calls go out over SIP")
	}
	once := 1
	booked, err := s.UseCases.BookCall(c.Request().Context(), kit.RequestCaller(c), service.BookingRequest{
		PhoneNumber: firstNumber, ScenarioID: firstScenario, Retry: &service.RetryRequest{MaxAttempts: &once},
	})
	if err != nil {
		return err
	}
	return kit.OpenBooked(c, booked.Call)
}

package console

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store/call"
	"munadi/ui/page"
	"munadi/ui/text"
)

// firstNumber is whom the first call goes to: a simulated person who answers and says yes. The scenario is a built-in
// one, so that it is there before anything was written.
const (
	firstNumber   = "+966500000000"
	firstScenario = "appointment_confirmation"
)

// welcome shows the second card of the first run.
func (s *Service) welcome(c echo.Context) error {
	v := visiting(c)
	p := page.Welcome{ConsolePage: s.frame(c, "welcome", text.SetUpIn(v.Lang).KeyTitle)}
	p.Key = s.once.take(v.Session, onceKey)
	if s.Simulated {
		p.Number = firstNumber
	}
	return show(c, http.StatusOK, page.WelcomePage(p))
}

// firstCall books a call to the simulated person and shows it.
func (s *Service) firstCall(c echo.Context) error {
	if !s.Simulated {
		return echo.NewHTTPError(http.StatusConflict, "the carrier is no simulator")
	}
	v, now, id := visiting(c), s.Now().UTC(), call.NewID()
	_, err := s.Store.Book(c.Request().Context(), call.Call{
		ID: id, OrgID: v.Org.ID, Status: call.Scheduled, PhoneNumber: firstNumber, ScenarioID: firstScenario,
		Booking: call.Immediate, CreatedAt: now, ScheduledAt: now,
		Attempt: call.Attempt{Number: 1, Max: 1, ChainID: id, Plan: call.Retry{MaxAttempts: 1}},
	}, v.actor(), nil)
	if err != nil {
		return err
	}
	if err := s.note(c, "call.create", id, firstScenario); err != nil {
		return err
	}
	return see(c, Root+"/calls/"+id)
}

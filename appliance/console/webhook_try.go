package console

import (
	"errors"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/ui/webhook"
)

// testWebhook queues a test notification, whose request and response the page then shows.
func (s *ConsoleService) testWebhook(c echo.Context) error {
	d, err := s.UseCases.TestWebhook(c.Request().Context(), requestCaller(c))
	var broken *service.ViolationError
	if errors.As(err, &broken) {
		flashProblem(c, webhook.TestNeedsURL.In(requestVisitor(c).Lang))
		return redirectTo(c, Root+"/webhook")
	}
	if err != nil {
		return err
	}
	return redirectTo(c, Root+"/webhook?test="+d.ID+"#test")
}

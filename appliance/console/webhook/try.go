package webhook

import (
	"errors"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/ui/webhook"
)

// testWebhook queues a test notification, whose request and response the page then shows.
func (s handlers) testWebhook(c echo.Context) error {
	d, err := s.UseCases.TestWebhook(c.Request().Context(), kit.RequestCaller(c))
	var broken *service.ViolationError
	if errors.As(err, &broken) {
		return kit.RedirectProblem(c, kit.Root+"/webhook", webhook.TestNeedsURL.In(kit.RequestVisitor(c).Lang))
	}
	if err != nil {
		return err
	}
	return kit.RedirectTo(c, kit.Root+"/webhook?test="+d.ID+"#test")
}

package console

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/store"
	"munadi/ui/page"
	"munadi/ui/webhook"
)

// showDelivery shows one webhook delivery with all its attempts.
func (s *ConsoleService) showDelivery(c echo.Context) error {
	v := requestVisitor(c)
	d, err := s.Store.FindDelivery(c.Request().Context(), v.Org.ID, c.Param("delivery"))
	if err != nil {
		return err
	}
	refreshWhilePending(c, d)
	return renderPage(c, http.StatusOK, page.DeliveryPage(page.OneDelivery{
		ConsolePage: s.consoleFrame(c, webhook.One.In(v.Lang)), Zone: s.organizationZone(c),
		Delivery: deliveryView(d),
	}))
}

// redeliverWebhook queues a delivery again.
func (s *ConsoleService) redeliverWebhook(c echo.Context) error {
	v, id := requestVisitor(c), c.Param("delivery")
	_, err := s.UseCases.RedeliverWebhook(c.Request().Context(), requestCaller(c), id)
	var broken *service.ViolationError
	switch {
	case errors.As(err, &broken):
		flashProblem(c, webhook.NoReceiver.In(v.Lang))
	case store.CodeOf(err) == store.CodeConflict:
		flashProblem(c, webhook.UnderWay.In(v.Lang))
	case err != nil:
		return err
	default:
		flashMessage(c, webhook.Redelivered.In(v.Lang))
	}
	return redirectTo(c, Root+"/webhook/deliveries/"+id)
}

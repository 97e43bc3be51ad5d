package webhook

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/ui/locale"
	"munadi/ui/webhook"
)

// showDelivery shows one webhook delivery with all its attempts.
func (s handlers) showDelivery(c echo.Context) error {
	v := kit.RequestVisitor(c)
	d, err := s.Store.FindDelivery(c.Request().Context(), v.Org.ID, c.Param("delivery"))
	if err != nil {
		return err
	}
	refreshWhilePending(c, d)
	return kit.RenderPage(c, http.StatusOK, webhook.DeliveryPage(webhook.DeliveryView{
		ConsolePage: s.ConsoleFrame(c, webhook.One.In(v.Lang)), Zone: s.OrganizationZone(c),
		Delivery: d,
	}))
}

// redeliverWebhook queues a delivery again.
func (s handlers) redeliverWebhook(c echo.Context) error {
	v, id := kit.RequestVisitor(c), c.Param("delivery")
	_, err := s.UseCases.RedeliverWebhook(c.Request().Context(), kit.RequestCaller(c), id)
	var broken *service.ViolationError
	switch {
	case errors.As(err, &broken):
		kit.FlashProblem(c, webhook.NoReceiver.In(v.Lang))
	case store.CodeOf(err) == store.CodeConflict:
		kit.FlashProblem(c, locale.DeliveryUnderWay.In(v.Lang))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, locale.DeliveryResent.In(v.Lang))
	}
	return kit.RedirectTo(c, kit.Root+"/webhook/deliveries/"+id)
}

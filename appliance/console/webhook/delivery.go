package webhook

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/delivery"
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

// exportDeliveries exports the webhook deliveries of a state, or all, as CSV: one row each, with the last attempt.
func (s handlers) exportDeliveries(c echo.Context) error {
	v, ctx, state := kit.RequestVisitor(c), c.Request().Context(), delivery.DeliveryState(c.QueryParam("state"))
	columns := locale.ColumnNames(v.Lang, webhook.Log.ExportKeys()...)
	read := func(cursor string) (store.ListPage[delivery.Delivery], error) {
		return s.Store.ListDeliveries(ctx, v.Org.ID, state, kit.MaxStorePage, cursor)
	}
	return kit.SendPagedCSV(c, "deliveries.csv", columns, read, webhook.Log.ExportRow)
}

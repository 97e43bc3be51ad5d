package console

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// delivery shows one notification with all its tries.
func (s *Service) delivery(c echo.Context) error {
	v := visiting(c)
	d, err := s.Store.Delivery(c.Request().Context(), v.Org.ID, c.Param("delivery"))
	if err != nil {
		return err
	}
	waitFor(c, d)
	return show(c, http.StatusOK, page.DeliveryPage(page.OneDelivery{
		ConsolePage: s.frame(c, shell.Webhook, text.WebhookIn(v.Lang).One), Zone: s.zone(c), Delivery: deliveryOf(d),
	}))
}

// redeliver owes it once more.
func (s *Service) redeliver(c echo.Context) error {
	v, id := visiting(c), c.Param("delivery")
	_, err := s.Store.Redeliver(c.Request().Context(), v.Org.ID, id, v.actor(), s.Now().UTC())
	switch {
	case store.CodeOf(err) == store.CodeConflict:
		complain(c, text.WebhookIn(v.Lang).UnderWay)
	case err != nil:
		return err
	default:
		say(c, text.WebhookIn(v.Lang).Redelivered)
	}
	return see(c, Root+"/webhook/deliveries/"+id)
}

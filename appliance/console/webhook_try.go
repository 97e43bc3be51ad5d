package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/ui/locale"
)

// tryWebhook queues a synthetic notification, whose request and response the page then shows.
func (s *ConsoleService) tryWebhook(c echo.Context) error {
	v, ctx, now := requestVisitor(c), c.Request().Context(), s.Now().UTC()
	w, err := s.Store.FindWebhook(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	if w.URL == "" {
		flashProblem(c, locale.WebhookIn(v.Lang).TestNeedsURL)
		return redirectTo(c, Root+"/webhook")
	}
	d := delivery.NewDelivery(v.Org.ID, delivery.Test, call.NewID(), now)
	if err := s.Store.AddDelivery(ctx, d, v.auditActor()); err != nil {
		return err
	}
	return redirectTo(c, Root+"/webhook?test="+d.ID+"#test")
}

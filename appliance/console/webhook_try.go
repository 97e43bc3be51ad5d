package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/ui/text"
)

// tryWebhook owes the receiver a made-up notification, whose exchange the page then shows.
func (s *Service) tryWebhook(c echo.Context) error {
	v, ctx, now := visiting(c), c.Request().Context(), s.Now().UTC()
	w, err := s.Store.Webhook(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	if w.URL == "" {
		complain(c, text.WebhookIn(v.Lang).TestNeedsURL)
		return see(c, Root+"/webhook")
	}
	d := delivery.New(v.Org.ID, delivery.Test, call.NewID(), now)
	if err := s.Store.AddDelivery(ctx, d); err != nil {
		return err
	}
	line := store.Change{At: now, Actor: v.actor(), Action: "webhook.test", Subject: d.ID}
	if err := s.Store.Note(ctx, v.Org.ID, line); err != nil {
		return err
	}
	return see(c, Root+"/webhook?test="+d.ID+"#test")
}

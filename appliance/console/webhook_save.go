package console

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/store/delivery"
	"munadi/ui/text"
)

// saveWebhook says where notifications go. A new signing secret is shown on the next page, this once.
func (s *Service) saveWebhook(c echo.Context) error {
	v, ctx, now := visiting(c), c.Request().Context(), s.Now().UTC()
	before, err := s.Store.Webhook(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	typed := func(w delivery.Webhook) delivery.Webhook {
		w.URL, w.Enabled, w.UpdatedAt = strings.TrimSpace(c.FormValue("url")), c.FormValue("enabled") != "", now
		return w.Sign(c.FormValue("signing") != "", now)
	}
	if fault := s.webhookFault(c, typed(before)); fault != "" {
		return s.webhookPage(c, http.StatusUnprocessableEntity, typed(before), fault)
	}
	return s.changeWebhook(c, typed, text.WebhookIn(v.Lang).Saved)
}

// webhookFault says why a setting may not be; empty when it may.
func (s *Service) webhookFault(c echo.Context, w delivery.Webhook) string {
	var reason string
	if found := delivery.CheckWebhook(w); len(found) > 0 {
		reason = found[0].Message
	} else if w.URL != "" {
		if err := s.CheckURL(c.Request().Context(), w.URL); err != nil {
			reason = err.Error()
		}
	}
	if reason == "" {
		return ""
	}
	lang := visiting(c).Lang
	return text.WebhookIn(lang).BadURL + ": " + text.AddressFault(lang, reason)
}

// rotateSecret makes a new signing secret; the old one signs for a day more.
func (s *Service) rotateSecret(c echo.Context) error {
	now := s.Now().UTC()
	rotate := func(w delivery.Webhook) delivery.Webhook { return w.Rotate(now) }
	return s.changeWebhook(c, rotate, text.WebhookIn(visiting(c).Lang).Rotated)
}

// changeWebhook changes the setting as it is at that moment, and keeps a secret that is new for the next page.
func (s *Service) changeWebhook(c echo.Context, change func(delivery.Webhook) delivery.Webhook, said string) error {
	v := visiting(c)
	before, after, err := s.Store.ChangeWebhook(c.Request().Context(), v.Org.ID, v.actor(), s.Now().UTC(), change)
	if err != nil {
		return err
	}
	if made := after.NewSecret(before); made != "" {
		s.once.put(v.Session, onceWebhook, made)
	}
	say(c, said)
	return see(c, Root+"/webhook")
}

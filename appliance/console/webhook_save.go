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
	after := before
	after.URL, after.Enabled, after.UpdatedAt = strings.TrimSpace(c.FormValue("url")), c.FormValue("enabled") != "", now
	after = after.Sign(c.FormValue("signing") != "", now)
	if fault := s.webhookFault(c, after); fault != "" {
		return s.webhookPage(c, http.StatusUnprocessableEntity, after, fault)
	}
	if err := s.Store.PutWebhook(ctx, v.Org.ID, after, v.actor(), now); err != nil {
		return err
	}
	s.showSecret(v, before, after)
	say(c, text.WebhookIn(v.Lang).Saved)
	return see(c, Root+"/webhook")
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
	v, ctx, now := visiting(c), c.Request().Context(), s.Now().UTC()
	before, err := s.Store.Webhook(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	after := before.Rotate(now)
	after.UpdatedAt = now
	if err := s.Store.PutWebhook(ctx, v.Org.ID, after, v.actor(), now); err != nil {
		return err
	}
	s.showSecret(v, before, after)
	say(c, text.WebhookIn(v.Lang).Rotated)
	return see(c, Root+"/webhook")
}

// showSecret keeps a secret that is new for the next page.
func (s *Service) showSecret(v visitor, before, after delivery.Webhook) {
	if made := newest(after); made != "" && made != newest(before) {
		s.once.put(v.Session, onceWebhook, made)
	}
}

// newest is the secret that signs first; empty without one.
func newest(w delivery.Webhook) string {
	if len(w.Secrets) == 0 {
		return ""
	}
	return w.Secrets[0].Value
}

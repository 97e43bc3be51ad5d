package console

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/store/delivery"
	"munadi/ui/locale"
)

// saveWebhook sets the webhook. A new signing secret is shown once on the next page.
func (s *ConsoleService) saveWebhook(c echo.Context) error {
	v, ctx, now := requestVisitor(c), c.Request().Context(), s.Now().UTC()
	before, err := s.Store.FindWebhook(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	typed := func(w delivery.WebhookSetting) delivery.WebhookSetting {
		w.URL, w.Enabled, w.UpdatedAt = strings.TrimSpace(c.FormValue("url")), c.FormValue("enabled") != "", now
		return w.SetSigning(c.FormValue("signing") != "", now)
	}
	if fault := s.webhookFault(c, typed(before)); fault != "" {
		return s.webhookPage(c, http.StatusUnprocessableEntity, typed(before), fault)
	}
	return s.changeWebhook(c, typed, locale.WebhookIn(v.Lang).Saved)
}

// webhookFault returns why a webhook setting is refused; empty when it is accepted.
func (s *ConsoleService) webhookFault(c echo.Context, w delivery.WebhookSetting) string {
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
	lang := requestVisitor(c).Lang
	return locale.WebhookIn(lang).BadURL + ": " + locale.AddressFault(lang, reason)
}

// rotateSecret creates a new signing secret; the old one also signs for one more day.
func (s *ConsoleService) rotateSecret(c echo.Context) error {
	now := s.Now().UTC()
	rotate := func(w delivery.WebhookSetting) delivery.WebhookSetting { return w.RotateSecret(now) }
	return s.changeWebhook(c, rotate, locale.WebhookIn(requestVisitor(c).Lang).Rotated)
}

// changeWebhook changes the current setting in a transaction, and keeps a new secret for the next page.
func (s *ConsoleService) changeWebhook(
	c echo.Context,
	change func(delivery.WebhookSetting) delivery.WebhookSetting,
	said string,
) error {
	v := requestVisitor(c)
	before, after, err := s.Store.ChangeWebhook(c.Request().Context(), v.Org.ID, v.auditActor(), s.Now().UTC(), change)
	if err != nil {
		return err
	}
	if made := after.NewSecret(before); made != "" {
		s.once.putSecret(v.Session, onceWebhook, made)
	}
	flashMessage(c, said)
	return redirectTo(c, Root+"/webhook")
}

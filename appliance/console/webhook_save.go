package console

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/store/delivery"
	"munadi/ui/locale"
)

// saveWebhook sets the webhook. A new signing secret is shown once on the next page.
func (s *ConsoleService) saveWebhook(c echo.Context) error {
	lang, enabled, signing := requestVisitor(c).Lang, c.FormValue("enabled") != "", c.FormValue("signing") != ""
	alerts := c.FormValue("alerts") != ""
	r := service.WebhookRequest{
		URL: strings.TrimSpace(c.FormValue("url")), Enabled: &enabled, Signing: &signing, Alerts: &alerts,
	}
	changed, err := s.UseCases.ChangeWebhook(c.Request().Context(), requestCaller(c), r)
	w := locale.WebhookIn(lang)
	var broken *service.ViolationError
	if errors.As(err, &broken) {
		typed := delivery.WebhookSetting{URL: r.URL, Enabled: enabled, Signing: signing, Alerts: alerts, UpdatedAt: s.Now()}
		fault := w.BadURL + ": " + locale.AddressFault(lang, broken.Violations[0].Message)
		return s.webhookPage(c, http.StatusUnprocessableEntity, typed, fault)
	}
	return s.redirectToWebhook(c, changed, err, w.Saved)
}

// rotateSecret creates a new signing secret; the old one also signs for one more day.
func (s *ConsoleService) rotateSecret(c echo.Context) error {
	changed, err := s.UseCases.RotateSecret(c.Request().Context(), requestCaller(c))
	return s.redirectToWebhook(c, changed, err, locale.WebhookIn(requestVisitor(c).Lang).Rotated)
}

// redirectToWebhook redirects to the webhook after a change, and keeps a new secret for that page.
func (s *ConsoleService) redirectToWebhook(
	c echo.Context, changed service.ChangedWebhook, err error, said string,
) error {
	if err != nil {
		return err
	}
	if changed.Secret != "" {
		s.flashSecrets.putSecret(requestVisitor(c).Session, webhookSecret, changed.Secret)
	}
	flashMessage(c, said)
	return redirectTo(c, Root+"/webhook")
}

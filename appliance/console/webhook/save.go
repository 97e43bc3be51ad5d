package webhook

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/delivery"
	uiform "munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/webhook"
)

// saveWebhook sets the webhook. A new signing secret is shown once on the next page.
func (s handlers) saveWebhook(c echo.Context) error {
	lang, enabled, signing := kit.RequestVisitor(c).Lang, c.FormValue("enabled") != "", c.FormValue("signing") != ""
	alerts := c.FormValue("alerts") != ""
	r := service.WebhookRequest{
		URL: strings.TrimSpace(c.FormValue("url")), Enabled: &enabled, Signing: &signing, Alerts: &alerts,
	}
	shown := kit.ReadShown(c, webhookPart)
	r.Seen = shown.IsUnchanged
	changed, err := s.UseCases.ChangeWebhook(c.Request().Context(), kit.RequestCaller(c), r)
	typed := delivery.WebhookSetting{URL: r.URL, Enabled: enabled, Signing: signing, Alerts: alerts, UpdatedAt: s.Now()}
	var broken *service.ViolationError
	if errors.As(err, &broken) {
		fault := webhook.BadURL.In(lang) + ": " + locale.AddressFault(lang, broken.Violations[0].Message)
		form := uiform.ReplacedSetting{Revision: shown.Revision}
		return s.webhookPage(c, http.StatusUnprocessableEntity, typed, form, fault)
	}
	if kit.IsStale(err) {
		form := shown.ConflictWith(webhookValues(shown.Kept, lang), webhookValues(typed, lang))
		return s.webhookPage(c, http.StatusConflict, typed, form, "")
	}
	return s.redirectToWebhook(c, changed, err, webhook.Saved.In(lang))
}

// webhookPart returns what the form replaces of a setting.
func webhookPart(w delivery.WebhookSetting) any {
	return delivery.WebhookSetting{URL: w.URL, Enabled: w.Enabled, Signing: w.Signing, Alerts: w.Alerts}
}

// webhookValues returns the values of the form's fields.
func webhookValues(w delivery.WebhookSetting, l locale.Language) []kit.FormValue {
	return []kit.FormValue{
		{webhook.URL.In(l), w.URL},
		{webhook.Enabled.In(l), locale.SwitchText(l, w.Enabled)},
		{webhook.Signing.In(l), locale.SwitchText(l, w.Signing)},
		{webhook.Alerts.In(l), locale.SwitchText(l, w.Alerts)},
	}
}

// rotateSecret creates a new signing secret; the old one also signs for one more day.
func (s handlers) rotateSecret(c echo.Context) error {
	changed, err := s.UseCases.RotateSecret(c.Request().Context(), kit.RequestCaller(c))
	return s.redirectToWebhook(c, changed, err, webhook.Rotated.In(kit.RequestVisitor(c).Lang))
}

// redirectToWebhook redirects to the webhook after a change, and keeps a new secret for that page.
func (s handlers) redirectToWebhook(
	c echo.Context, changed service.ChangedWebhook, err error, said string,
) error {
	if err != nil {
		return err
	}
	if changed.Secret != "" {
		s.FlashSecrets.PutSecret(kit.RequestVisitor(c).Session, kit.WebhookSecret, changed.Secret)
	}
	kit.FlashMessage(c, said)
	return kit.RedirectTo(c, kit.Root+"/webhook")
}

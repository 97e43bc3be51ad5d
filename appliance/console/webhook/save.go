package webhook

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/delivery"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/webhook"
)

// saveWebhook sets the webhook. A new signing secret is shown once on the next page.
func (s handlers) saveWebhook(c echo.Context) error {
	lang := kit.RequestVisitor(c).Lang
	typed := delivery.WebhookSetting{}
	webhook.BindSetting(kit.BindSent(c), &typed)
	shown := kit.ReadShown(c, webhookPart)
	changed, err := s.UseCases.ChangeWebhook(c.Request().Context(), kit.RequestCaller(c), service.WebhookRequest{
		URL: typed.URL, Enabled: &typed.Enabled, Signing: &typed.Signing, Alerts: &typed.Alerts, Seen: shown.IsUnchanged,
	})
	var broken *service.ViolationError
	if errors.As(err, &broken) {
		found := kit.FormViolations(broken.Violations)
		found[0].Message = locale.DescribeURLFault(lang, found[0].Message)
		fields := webhook.BindSetting(form.NewBinder(lang, nil, found), &typed)
		return s.webhookPage(c, http.StatusUnprocessableEntity, fields, form.ReplacedSetting{Revision: shown.Revision})
	}
	if kit.IsStale(err) {
		fields := webhook.BindSetting(form.NewBinder(lang, nil, nil), &typed)
		saved := webhook.BindSetting(form.NewBinder(lang, nil, nil), &shown.Kept)
		return s.webhookPage(c, http.StatusConflict, fields, shown.ConflictOf(lang, saved, fields))
	}
	return s.redirectToWebhook(c, changed, err, webhook.Saved.In(lang))
}

// webhookPart returns what the form replaces of a setting.
func webhookPart(w delivery.WebhookSetting) any {
	return delivery.WebhookSetting{URL: w.URL, Enabled: w.Enabled, Signing: w.Signing, Alerts: w.Alerts}
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
	return kit.RedirectSaying(c, kit.Root+"/webhook", said)
}

package api

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/jsonbind"
	"munadi/appliance/apimodel"
	"munadi/store/delivery"
)

// webhookBody is the request body of PUT /webhook.
type webhookBody struct {
	URL     *string `json:"url"`
	Enabled *bool   `json:"enabled"`
	Signing *bool   `json:"signing"`
	Rotate  bool    `json:"rotate_secret"`

	Secrets   []any     `json:"secrets"` // read-only, as shown by GET
	Secret    *string   `json:"secret"`
	UpdatedAt time.Time `json:"updated_at"`
}

// putWebhook sets the webhook URL, on/off and signing. A new signing secret is shown in this answer only.
func (s *APIService) putWebhook(c echo.Context) error {
	ctx, orgID, now := c.Request().Context(), requestPrincipal(c).OrgID, s.Now().UTC()
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	var b webhookBody
	found := jsonbind.BindValue(parsed, &b)
	s.checkWebhook(ctx, b.applyWebhook(delivery.WebhookSetting{}, now), &found)
	if err := newValidationError(found); err != nil {
		return err
	}
	before, after, err := s.Store.ChangeWebhook(ctx, orgID, auditActor(c), now,
		func(kept delivery.WebhookSetting) delivery.WebhookSetting { return b.applyWebhook(kept, now) })
	if err != nil {
		return err
	}
	shown := apimodel.WebhookOf(after, now)
	if made := after.NewSecret(before); made != "" {
		shown.Secret = &made
	}
	return writeSuccess(c, http.StatusOK, shown)
}

// checkWebhook adds the violations of a webhook setting: its own rules, and the URL check (SSRF protection).
func (s *APIService) checkWebhook(ctx context.Context, w delivery.WebhookSetting, found *jsonbind.FieldViolations) {
	for _, fault := range delivery.CheckWebhook(w) {
		found.AddViolation(fault.Field, "%s", fault.Message)
	}
	if w.URL == "" || found.HasViolation("url") {
		return
	}
	if err := s.CheckURL(ctx, w.URL); err != nil {
		found.AddViolation("url", "%s", err.Error())
	}
}

// applyWebhook returns the setting that the request asks for, based on w.
func (b webhookBody) applyWebhook(w delivery.WebhookSetting, now time.Time) delivery.WebhookSetting {
	if b.Signing == nil {
		w = w.SignByDefault(now)
	}
	w.URL, w.UpdatedAt = "", now
	if b.URL != nil {
		w.URL = *b.URL
	}
	w.Enabled = w.URL != ""
	if b.Enabled != nil {
		w.Enabled = *b.Enabled
	}
	if b.Signing != nil {
		w = w.SetSigning(*b.Signing, now)
	}
	if b.Rotate {
		w = w.RotateSecret(now)
	}
	return w
}

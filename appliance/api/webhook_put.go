package api

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/body"
	"munadi/appliance/wire"
	"munadi/store/delivery"
)

// webhookBody is what PUT /webhook takes.
type webhookBody struct {
	URL     *string `json:"url"`
	Enabled *bool   `json:"enabled"`
	Signing *bool   `json:"signing"`
	Rotate  bool    `json:"rotate_secret"`

	Secrets   []any     `json:"secrets"` // what GET shows
	Secret    *string   `json:"secret"`
	UpdatedAt time.Time `json:"updated_at"`
}

// putWebhook says where notifications go. A new signing secret is in this answer, and in none after it.
func (s *Service) putWebhook(c echo.Context) error {
	ctx, orgID, now := c.Request().Context(), principal(c).OrgID, s.Now().UTC()
	parsed, err := object(c)
	if err != nil {
		return err
	}
	var b webhookBody
	found := body.Bind(parsed, &b)
	s.checkWebhook(ctx, b.apply(delivery.Webhook{}, now), &found)
	if err := invalid(found); err != nil {
		return err
	}
	before, after, err := s.Store.ChangeWebhook(ctx, orgID, actor(c), now,
		func(kept delivery.Webhook) delivery.Webhook { return b.apply(kept, now) })
	if err != nil {
		return err
	}
	shown := wire.WebhookOf(after, now)
	if made := after.NewSecret(before); made != "" {
		shown.Secret = &made
	}
	return answer(c, http.StatusOK, shown)
}

// checkWebhook adds what is wrong with a setting, of which nothing but the secrets depends on what is kept.
func (s *Service) checkWebhook(ctx context.Context, w delivery.Webhook, found *body.Violations) {
	for _, fault := range delivery.CheckWebhook(w) {
		found.Add(fault.Field, "%s", fault.Message)
	}
	if w.URL == "" || found.Has("url") {
		return
	}
	if err := s.CheckURL(ctx, w.URL); err != nil {
		found.Add("url", "%s", err.Error())
	}
}

// apply is the setting that the request asks for.
func (b webhookBody) apply(w delivery.Webhook, now time.Time) delivery.Webhook {
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
		w = w.Sign(*b.Signing, now)
	}
	if b.Rotate {
		w = w.Rotate(now)
	}
	return w
}

package api

import (
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
	before, err := s.Store.Webhook(ctx, orgID)
	if err != nil {
		return err
	}
	var b webhookBody
	found := body.Bind(parsed, &b)
	after := b.apply(before, now)
	for _, fault := range delivery.CheckWebhook(after) {
		found.Add(fault.Field, "%s", fault.Message)
	}
	if after.URL != "" && !found.Has("url") {
		if err := s.CheckURL(ctx, after.URL); err != nil {
			found.Add("url", "%s", err.Error())
		}
	}
	if err := invalid(found); err != nil {
		return err
	}
	if err := s.Store.PutWebhook(ctx, orgID, after, actor(c), now); err != nil {
		return err
	}
	shown := wire.WebhookOf(after, now)
	if made := newest(after); made != newest(before) {
		shown.Secret = &made
	}
	return answer(c, http.StatusOK, shown)
}

// apply is the setting that the request asks for.
func (b webhookBody) apply(w delivery.Webhook, now time.Time) delivery.Webhook {
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

// newest is the secret that signs first; empty without one.
func newest(w delivery.Webhook) string {
	if len(w.Secrets) == 0 {
		return ""
	}
	return w.Secrets[0].Value
}

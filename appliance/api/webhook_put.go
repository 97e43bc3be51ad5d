package api

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/service"
	"munadi/store/delivery"
	"munadi/store/strictjson"
)

// webhookBody is the request body of PUT /webhook.
type webhookBody struct {
	URL     *string `json:"url"`
	Enabled *bool   `json:"enabled"`
	Signing *bool   `json:"signing"`
	Alerts  *bool   `json:"alerts"`
	Rotate  bool    `json:"rotate_secret"`

	Secrets   []any     `json:"secrets"` // read-only, as shown by GET
	Secret    *string   `json:"secret"`
	UpdatedAt time.Time `json:"updated_at"`
}

// putWebhook sets the webhook URL, on/off and signing. A new signing secret is shown only in this response.
func (s *APIService) putWebhook(c echo.Context) error {
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	var b webhookBody
	found := strictjson.BindValue(parsed, &b)
	r := service.WebhookRequest{
		Enabled: b.Enabled, Signing: b.Signing, Alerts: b.Alerts, Rotate: b.Rotate, Violations: found,
		Seen: ifMatch[delivery.WebhookSetting](c),
	}
	if b.URL != nil {
		r.URL = *b.URL
	}
	changed, err := s.UseCases.ChangeWebhook(c.Request().Context(), requestCaller(c), r)
	if err != nil {
		return err
	}
	setETag(c, changed.Setting)
	shown := apimodel.WebhookOf(changed.Setting, s.Now())
	if changed.Secret != "" {
		shown.Secret = &changed.Secret
	}
	return writeSuccess(c, http.StatusOK, shown)
}

package api

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/delivery"
	"munadi/store/strictjson"
)

// getWebhook answers the webhook setting; its signing secrets are never shown again.
func (s *APIService) getWebhook(c echo.Context) error {
	w, err := s.Store.FindWebhook(c.Request().Context(), requestPrincipal(c).OrgID)
	return answerSetting(c, w, err, func(w delivery.WebhookSetting) apimodel.WebhookSetting {
		return apimodel.WebhookOf(w, s.Now())
	})
}

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

// testWebhook queues a synthetic notification (202); a URL must be set, whether or not the webhook is enabled.
func (s *APIService) testWebhook(c echo.Context) error {
	d, err := s.UseCases.TestWebhook(c.Request().Context(), requestCaller(c))
	return answerWith(c, http.StatusAccepted, d, err, apimodel.DeliveryOf)
}

// redeliverWebhook queues a finished notification for delivery again (202); 409 while it is pending.
func (s *APIService) redeliverWebhook(c echo.Context) error {
	d, err := s.UseCases.RedeliverWebhook(c.Request().Context(), requestCaller(c), c.Param("delivery_id"))
	return answerWith(c, http.StatusAccepted, d, err, apimodel.DeliveryOf)
}

// listDeliveries answers the webhook delivery log, newest first.
func (s *APIService) listDeliveries(c echo.Context) error {
	q := queryOf(c)
	state, limit, cursor := enumParam(q, "state", delivery.AllStates()), q.limitParam(), q.textParam("cursor")
	page, err := readLog(limit, cursor, func(limit int, cursor string) (store.ListPage[delivery.Delivery], error) {
		return s.Store.ListDeliveries(c.Request().Context(), requestPrincipal(c).OrgID, state, limit, cursor)
	})
	return answerList(c, q, page, err, apimodel.DeliveryOf)
}

const (
	logPiece = 20      // deliveries read from the store at once
	logBytes = 1 << 20 // bytes of bodies, after which a page of the log ends
)

// readLog reads at most limit deliveries of a log with find. Each may hold request and response bodies of two dozen
// tries, so a page may end early; its cursor continues from there.
func readLog(
	limit int, cursor string, find func(limit int, cursor string) (store.ListPage[delivery.Delivery], error),
) (store.ListPage[delivery.Delivery], error) {
	all := store.ListPage[delivery.Delivery]{Next: cursor}
	for bytes := 0; len(all.Items) < limit && bytes < logBytes; {
		page, err := find(min(logPiece, limit-len(all.Items)), all.Next)
		if err != nil {
			return all, err
		}
		all.Items, all.Next = append(all.Items, page.Items...), page.Next
		for _, d := range page.Items {
			bytes += d.BodySize()
		}
		if page.Next == "" {
			break
		}
	}
	return all, nil
}

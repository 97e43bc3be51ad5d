package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/delivery"
	uiform "munadi/ui/form"
	"munadi/ui/webhook"
)

// deliveriesPerPage is the number of deliveries on a page.
const deliveriesPerPage = 25

// refreshSeconds is the time after which a page with a pending delivery is reloaded (Refresh header).
const refreshSeconds = 1

// showWebhook shows the webhook setting, the last test, and the deliveries.
func (s handlers) showWebhook(c echo.Context) error {
	w, err := s.Store.FindWebhook(c.Request().Context(), kit.RequestVisitor(c).Org.ID)
	if err != nil {
		return err
	}
	return s.webhookPage(c, http.StatusOK, w, kit.ReplacedSetting(w, webhookPart), "")
}

// webhookPage renders the page with the form's values.
func (s handlers) webhookPage(
	c echo.Context, status int, w delivery.WebhookSetting, form uiform.ReplacedSetting, fault string,
) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	saved, err := s.Store.FindWebhook(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	p := webhook.WebhookView{
		ReplacedSetting: form, Zone: s.OrganizationZone(c),
		URL: w.URL, Enabled: w.Enabled, Signing: w.Signing || w.UpdatedAt.IsZero(),
		Alerts: w.Alerts, Saved: saved.URL != "", Fault: fault, State: c.QueryParam("state"),
		Made: s.FlashSecrets.TakeSecret(v.Session, kit.WebhookSecret),
	}
	p.ConsolePage = s.ConsoleFrame(c, webhook.Title.In(v.Lang))
	for _, secret := range saved.LiveSecrets(s.Now()) {
		p.Secrets = append(p.Secrets, webhook.SecretRow{Since: secret.CreatedAt, Until: secret.ExpiresAt})
	}
	if err := s.addWebhookTest(c, &p); err != nil {
		return err
	}
	if err := s.addDeliveries(ctx, v, c.QueryParam("cursor"), &p); err != nil {
		return err
	}
	return kit.RenderPage(c, status, webhook.WebhookPage(p))
}

// addWebhookTest adds the test delivery that the URL names; the page is reloaded while it is pending.
func (s handlers) addWebhookTest(c echo.Context, p *webhook.WebhookView) error {
	id := c.QueryParam("test")
	if id == "" {
		return nil
	}
	d, err := s.Store.FindDelivery(c.Request().Context(), kit.RequestVisitor(c).Org.ID, id)
	if store.CodeOf(err) == store.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	shown := deliveryView(d)
	p.Test = &shown
	refreshWhilePending(c, d)
	return nil
}

// refreshWhilePending makes the browser reload the page while a delivery is pending. The header has the URL, since a
// browser would only scroll in a URL with a fragment.
func refreshWhilePending(c echo.Context, d delivery.Delivery) {
	if d.State == delivery.Pending {
		c.Response().Header().Set("Refresh", strconv.Itoa(refreshSeconds)+"; url="+c.Request().URL.RequestURI())
	}
}

func (s handlers) addDeliveries(
	ctx context.Context, v kit.Visitor, cursor string, p *webhook.WebhookView,
) error {
	found, err := s.Store.ListDeliveries(ctx, v.Org.ID, delivery.DeliveryState(p.State), deliveriesPerPage, cursor)
	if err != nil {
		return err
	}
	for _, d := range found.Items {
		p.Deliveries = append(p.Deliveries, deliveryView(d))
	}
	p.CSV = kit.BuildURL(kit.Root+"/webhook/deliveries.csv", "state", p.State)
	if found.Next != "" {
		p.Next = deliveriesAddress(p.State, found.Next)
	}
	if cursor != "" {
		p.First = deliveriesAddress(p.State, "")
	}
	return nil
}

func deliveriesAddress(state, cursor string) string {
	return kit.BuildURL(kit.Root+"/webhook", "state", state, "cursor", cursor) + "#deliveries"
}

// deliveryView returns a delivery for display, the newest attempt last.
func deliveryView(d delivery.Delivery) webhook.DeliveryRow {
	shown := webhook.DeliveryRow{
		ID: d.ID, Kind: string(d.Kind), CallID: d.CallID, State: string(d.State), Created: d.CreatedAt,
	}
	if d.State == delivery.Pending && !d.NextAt.IsZero() {
		next := d.NextAt
		shown.Next = &next
	}
	for i, t := range d.Tries {
		shown.Tries = append(shown.Tries, webhook.TryExchange{
			At: t.At, URL: t.URL, Error: t.Error, Status: t.StatusCode, Took: t.Duration, Number: i + 1,
			Request: indentJSON(t.Request), Response: indentJSON(t.Response),
		})
	}
	return shown
}

// indentJSON indents JSON; other text is returned unchanged.
func indentJSON(body string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(body), "", "  ") != nil {
		return body
	}
	return out.String()
}

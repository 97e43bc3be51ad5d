package webhook

import (
	"context"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/delivery"
	"munadi/ui/form"
	"munadi/ui/locale"
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
	replaced := kit.ReplacedSetting(w, webhookPart)
	w.Signing = w.Signing || w.UpdatedAt.IsZero()
	fields := webhook.BindSetting(form.NewBinder(kit.RequestVisitor(c).Lang, nil, nil), &w)
	return s.webhookPage(c, http.StatusOK, fields, replaced)
}

// webhookPage renders the page with the form's fields.
func (s handlers) webhookPage(c echo.Context, status int, fields []form.Field, replaced form.ReplacedSetting) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	saved, err := s.Store.FindWebhook(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	p := webhook.WebhookView{
		ConsolePage: s.ConsoleFrame(c, locale.WebhookTitle.In(v.Lang)), ReplacedSetting: replaced,
		Zone: s.OrganizationZone(c),
		Form: fields, Saved: saved.URL != "", Secrets: saved.LiveSecrets(s.Now()),
		Made: s.FlashSecrets.TakeSecret(v.Session, kit.WebhookSecret), State: delivery.DeliveryState(c.QueryParam("state")),
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
	p.Test = &d
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
	found, err := s.Store.ListDeliveries(ctx, v.Org.ID, p.State, deliveriesPerPage, cursor)
	if err != nil {
		return err
	}
	p.Deliveries = found.Items
	p.CSV = kit.BuildURL(kit.Root+"/webhook/deliveries.csv", "state", string(p.State))
	if found.Next != "" {
		p.Next = deliveriesAddress(string(p.State), found.Next)
	}
	if cursor != "" {
		p.First = deliveriesAddress(string(p.State), "")
	}
	return nil
}

func deliveriesAddress(state, cursor string) string {
	return kit.BuildURL(kit.Root+"/webhook", "state", state, "cursor", cursor) + "#deliveries"
}

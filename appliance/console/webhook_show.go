package console

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/delivery"
	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// deliveryPage is how many deliveries a page lists.
const deliveryPage = 25

// refreshEvery is after how many seconds a page that waits for something is loaded again, scripts or not.
const refreshEvery = 1

// webhook shows where notifications go, the test that was asked for last, and what was sent.
func (s *Service) webhook(c echo.Context) error {
	w, err := s.Store.Webhook(c.Request().Context(), visiting(c).Org.ID)
	if err != nil {
		return err
	}
	return s.webhookPage(c, http.StatusOK, w, "")
}

func (s *Service) webhookPage(c echo.Context, status int, w delivery.Webhook, fault string) error {
	v, ctx := visiting(c), c.Request().Context()
	saved, err := s.Store.Webhook(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	p := page.Webhook{
		Zone: s.zone(c), URL: w.URL, Enabled: w.Enabled, Signing: w.Signing || w.UpdatedAt.IsZero(), Saved: saved.URL != "", Fault: fault,
		Made: s.once.take(v.Session, onceWebhook), State: c.QueryParam("state"),
	}
	p.ConsolePage = s.frame(c, shell.Webhook, text.WebhookIn(v.Lang).Title)
	for _, secret := range saved.Live(s.Now()) {
		p.Secrets = append(p.Secrets, page.Secret{Since: secret.CreatedAt, Until: secret.ExpiresAt})
	}
	if err := s.addTest(c, &p); err != nil {
		return err
	}
	if err := s.addDeliveries(ctx, v, c.QueryParam("cursor"), &p); err != nil {
		return err
	}
	return show(c, status, page.WebhookPage(p))
}

// addTest shows the test that the address names; while it is under way, the page is loaded again and again.
func (s *Service) addTest(c echo.Context, p *page.Webhook) error {
	id := c.QueryParam("test")
	if id == "" {
		return nil
	}
	d, err := s.Store.Delivery(c.Request().Context(), visiting(c).Org.ID, id)
	if store.CodeOf(err) == store.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	shown := deliveryOf(d)
	p.Test = &shown
	waitFor(c, d)
	return nil
}

// waitFor has the browser load the page again while a delivery is under way. The address is named, since one with a
// fragment, which the browser does not tell, would only be scrolled to.
func waitFor(c echo.Context, d delivery.Delivery) {
	if d.State == delivery.Pending {
		c.Response().Header().Set("Refresh", strconv.Itoa(refreshEvery)+"; url="+c.Request().URL.RequestURI())
	}
}

func (s *Service) addDeliveries(ctx context.Context, v visitor, cursor string, p *page.Webhook) error {
	found, err := s.Store.Deliveries(ctx, v.Org.ID, delivery.State(p.State), deliveryPage, cursor)
	if err != nil {
		return err
	}
	for _, d := range found.Items {
		p.Deliveries = append(p.Deliveries, deliveryOf(d))
	}
	p.CSV = strings.TrimSuffix(Root+"/webhook/deliveries.csv?"+stateQuery(p.State).Encode(), "?")
	if found.Next != "" {
		p.Next = deliveriesAddress(p.State, found.Next)
	}
	if cursor != "" {
		p.First = deliveriesAddress(p.State, "")
	}
	return nil
}

func stateQuery(state string) url.Values {
	if state == "" {
		return url.Values{}
	}
	return url.Values{"state": {state}}
}

func deliveriesAddress(state, cursor string) string {
	q := stateQuery(state)
	if cursor != "" {
		q.Set("cursor", cursor)
	}
	return strings.TrimSuffix(Root+"/webhook?"+q.Encode(), "?") + "#deliveries"
}

// deliveryOf is a delivery as its page shows it, the newest try last.
func deliveryOf(d delivery.Delivery) page.Delivery {
	shown := page.Delivery{ID: d.ID, Kind: string(d.Kind), CallID: d.CallID, State: string(d.State), Created: d.CreatedAt}
	if d.State == delivery.Pending && !d.NextAt.IsZero() {
		next := d.NextAt
		shown.Next = &next
	}
	for i, t := range d.Tries {
		shown.Tries = append(shown.Tries, page.Exchange{
			At: t.At, URL: t.URL, Error: t.Error, Status: t.StatusCode, Took: t.Duration, Number: i + 1,
			Request: indented(t.Request), Response: indented(t.Response),
		})
	}
	return shown
}

// indented is JSON made readable; anything else as it is.
func indented(body string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(body), "", "  ") != nil {
		return body
	}
	return out.String()
}

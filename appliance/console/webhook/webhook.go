package webhook

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
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
	state, err := kit.RequestDeliveryState(c)
	if err != nil {
		return err
	}
	p := webhook.WebhookView{
		ConsolePage: s.ConsoleFrame(c, locale.WebhookTitle.In(v.Lang)), ReplacedSetting: replaced,
		Zone: s.OrganizationZone(c),
		Form: fields, Saved: saved.URL != "", Secrets: saved.LiveSecrets(s.Now()),
		Made: s.FlashSecrets.TakeSecret(v.Session, kit.WebhookSecret), State: state,
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
	if p.Subjects, err = s.FindSubjects(ctx, v, found.Items...); err != nil {
		return err
	}
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

// saveWebhook sets the webhook. A new signing secret is shown once on the next page.
func (s handlers) saveWebhook(c echo.Context) error {
	lang := kit.RequestVisitor(c).Lang
	typed := delivery.WebhookSetting{}
	webhook.BindSetting(kit.BindSent(c), &typed)
	shown := kit.ReadShown(c, webhookPart)
	changed, err := s.UseCases.ChangeWebhook(c.Request().Context(), kit.RequestCaller(c), service.WebhookRequest{
		URL: typed.URL, Enabled: &typed.Enabled, Signing: &typed.Signing, Alerts: &typed.Alerts, Seen: shown.IsUnchanged,
	})
	if broken, ok := errors.AsType[*service.ViolationError](err); ok {
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

// showDelivery shows one webhook delivery with all its attempts.
func (s handlers) showDelivery(c echo.Context) error {
	v := kit.RequestVisitor(c)
	d, err := s.Store.FindDelivery(c.Request().Context(), v.Org.ID, c.Param("delivery"))
	if err != nil {
		return err
	}
	about, err := s.FindSubjects(c.Request().Context(), v, d)
	if err != nil {
		return err
	}
	refreshWhilePending(c, d)
	return kit.RenderPage(c, http.StatusOK, webhook.DeliveryPage(webhook.DeliveryView{
		ConsolePage: s.ConsoleFrame(c, webhook.One.In(v.Lang)), Zone: s.OrganizationZone(c),
		Delivery: d, Subjects: about,
	}))
}

// redeliverWebhook queues a delivery again.
func (s handlers) redeliverWebhook(c echo.Context) error {
	v, id := kit.RequestVisitor(c), c.Param("delivery")
	_, err := s.UseCases.RedeliverWebhook(c.Request().Context(), kit.RequestCaller(c), id)
	var broken *service.ViolationError
	switch {
	case errors.As(err, &broken):
		kit.FlashProblem(c, webhook.NoReceiver.In(v.Lang))
	case store.CodeOf(err) == store.CodeConflict:
		kit.FlashProblem(c, locale.DeliveryUnderWay.In(v.Lang))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, locale.DeliveryResent.In(v.Lang))
	}
	return kit.RedirectTo(c, kit.Root+"/webhook/deliveries/"+id)
}

// testWebhook queues a test notification, whose request and response the page then shows.
func (s handlers) testWebhook(c echo.Context) error {
	d, err := s.UseCases.TestWebhook(c.Request().Context(), kit.RequestCaller(c))
	if _, ok := errors.AsType[*service.ViolationError](err); ok {
		return kit.RedirectProblem(c, kit.Root+"/webhook", webhook.TestNeedsURL.In(kit.RequestVisitor(c).Lang))
	}
	if err != nil {
		return err
	}
	return kit.RedirectTo(c, kit.Root+"/webhook?test="+d.ID+"#test")
}

// exportDeliveries exports the webhook deliveries of a state, or all, as CSV: one row each, with the last attempt.
func (s handlers) exportDeliveries(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	state, err := kit.RequestDeliveryState(c)
	if err != nil {
		return err
	}
	log := webhook.DeclareLog(nil)
	read := func(cursor string) (store.ListPage[delivery.Delivery], error) {
		return s.Store.ListDeliveries(ctx, v.Org.ID, state, kit.MaxStorePage, cursor)
	}
	return kit.SendPagedCSV(c, "deliveries.csv", locale.ColumnNames(v.Lang, log.ExportKeys()...), read, log.ExportRow)
}

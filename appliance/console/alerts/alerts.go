package alerts

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/ui/alerts"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

const alertsPath = kit.Root + "/alerts"

// showAlertBanner returns the page part with open alerts, for the script that refreshes it.
func (s handlers) showAlertBanner(c echo.Context) error {
	p := s.ConsoleFrame(c, "")
	if len(p.Alerts) == 0 {
		return c.HTML(http.StatusOK, "")
	}
	return kit.RenderPage(c, http.StatusOK, layout.AlertRegion(p))
}

// watchAlerts streams changes of the organization's alerts (SSE).
func (s handlers) watchAlerts(c echo.Context) error { return s.StreamEvents(c, "alerts", false) }

// showAlerts shows open and past alerts, and their recipients.
func (s handlers) showAlerts(c echo.Context) error {
	return s.alertsPage(c, http.StatusOK, alerts.View{})
}

// alertsPage renders the page with the form that was refused, if any.
func (s handlers) alertsPage(c echo.Context, status int, p alerts.View) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	board, err := s.FindAlerts(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	who, err := s.LoadActorNames(c)
	if err != nil {
		return err
	}
	webhook, err := s.Store.FindWebhook(ctx, v.Org.ID)
	if err != nil && !store.IsUnreadable(err) {
		return err
	}
	governs, owner := v.User.IsGovernor(), v.User.Role.Allows(account.Owner)
	to, sends := s.UseCases.AlertRecipients(ctx, v.Org.ID, board)
	seen := board.VisibleTo(governs)
	slices.Reverse(seen.Open)
	p.ConsolePage, p.Zone = s.ConsoleFrame(c, locale.ConsoleAlerts.In(v.Lang)), s.OrganizationZone(c)
	p.Open, p.Past, p.ActorName = seen.Open, seen.Past, who.ActorName
	p.MayAcknowledge, p.Webhook = v.User.Role.Allows(account.Operator), webhook.WantsAlerts()
	p.Governs, p.Sends, p.MayTest = governs, sends, sends && len(to) > 0
	if owner {
		p.Mails = listMails(board, governs)
	}
	if owner && p.Form == nil {
		p.Form = alerts.BindRecipients(form.NewBinder(v.Lang, nil, nil), &alerts.Recipients{Addresses: board.Recipients})
		p.ReplacedSetting = kit.ReplacedSetting(board.Recipients, recipientsPart)
	}
	p.Alerts = nil // the page shows them itself
	return kit.RenderPage(c, status, alerts.Page(p))
}

// listMails returns the latest e-mails, newest first; those about the installation only for governors.
func listMails(board alert.AlertBoard, governs bool) (mails []alerts.SentMail) {
	for _, m := range slices.Backward(board.Mails) {
		about, known := board.FindAlert(m.AlertID)
		if !known || !about.Installation || governs {
			mails = append(mails, alerts.SentMail{AlertMail: m, About: about})
		}
	}
	return mails
}

// acknowledgeAlert records that the visitor has seen an alert.
func (s handlers) acknowledgeAlert(c echo.Context) error {
	v := kit.RequestVisitor(c)
	err := s.UseCases.AcknowledgeAlert(c.Request().Context(), kit.RequestCaller(c), c.Param("alert"), v.User.IsGovernor())
	return kit.RedirectAfter(c, err, alertsPath, alerts.Acknowledged.In(v.Lang))
}

// saveAlertRecipients sets the organization's e-mail recipients of alerts, one a line.
func (s handlers) saveAlertRecipients(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	divides := func(r rune) bool { return strings.ContainsRune("\r\n,; \t", r) }
	typed := alerts.Recipients{Addresses: strings.FieldsFunc(c.FormValue("recipients"), divides)}
	shown := kit.ReadShown(c, recipientsPart)
	err := s.UseCases.ChangeAlertRecipients(
		c.Request().Context(), kit.RequestCaller(c), typed.Addresses, shown.IsUnchanged)
	if broken := (&service.ViolationError{}); errors.As(err, &broken) {
		found := []form.Violation{{Path: "recipients", Message: alerts.BadRecipients.In(l)}}
		return s.alertsPage(c, http.StatusUnprocessableEntity, alerts.View{
			Form:            alerts.BindRecipients(form.NewBinder(l, nil, found), &typed),
			ReplacedSetting: form.ReplacedSetting{Revision: shown.Revision},
		})
	}
	if kit.IsStale(err) {
		bind := func(addresses []string) []form.Field {
			return alerts.BindRecipients(form.NewBinder(l, nil, nil), &alerts.Recipients{Addresses: addresses})
		}
		fields := bind(typed.Addresses)
		replaced := shown.ConflictOf(l, bind(shown.Kept), fields)
		return s.alertsPage(c, http.StatusConflict, alerts.View{Form: fields, ReplacedSetting: replaced})
	}
	return kit.RedirectAfter(c, err, alertsPath, alerts.Saved.In(l))
}

// recipientsPart returns what the form of the addresses replaces.
func recipientsPart(addresses []string) any { return strings.Join(addresses, "\n") }

// testAlertMail queues a test e-mail.
func (s handlers) testAlertMail(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	err := s.UseCases.TestAlertMail(c.Request().Context(), kit.RequestCaller(c))
	if broken := (&service.ViolationError{}); errors.As(err, &broken) {
		return s.alertsPage(c, http.StatusUnprocessableEntity, alerts.View{Fault: alerts.NoTest.In(l)})
	}
	return kit.RedirectAfter(c, err, alertsPath, alerts.Testing.In(l))
}

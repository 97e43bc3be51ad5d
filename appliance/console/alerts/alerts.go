package alerts

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/ui/alerts"
	uiform "munadi/ui/form"
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
	return s.alertsPage(c, http.StatusOK, nil, nil, "")
}

// alertsPage renders the page; typed are refused addresses with the form's revision, and fault is the reason.
func (s handlers) alertsPage(
	c echo.Context, status int, typed []string, form *uiform.ReplacedSetting, fault string,
) error {
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
	to, sends := s.UseCases.AlertRecipients(v.Org.ID, board)
	p := alerts.View{
		ConsolePage: s.ConsoleFrame(c, alerts.Title.In(v.Lang)), Zone: s.OrganizationZone(c),
		MayAcknowledge: v.User.Role.Allows(account.Operator), MayChange: owner,
		Sends: sends, Webhook: webhook.WantsAlerts(), Fault: fault,
		Recipients: strings.Join(board.Recipients, "\n"), MayTest: sends && len(to) > 0,
	}
	p.ReplacedSetting = kit.ReplacedSetting(board.Recipients, recipientsPart)
	if form != nil {
		p.Recipients, p.ReplacedSetting = strings.Join(typed, "\n"), *form
	}
	seen := board.VisibleTo(governs)
	for _, a := range seen.Open {
		p.Open = append([]alerts.Row{alertRow(v.Lang, a, who)}, p.Open...)
	}
	for _, a := range seen.Past {
		p.Past = append(p.Past, alertRow(v.Lang, a, who))
	}
	if owner {
		p.Mails = mailRows(v.Lang, board, governs)
	}
	p.Alerts = nil // the page shows them itself
	return kit.RenderPage(c, status, alerts.Page(p))
}

// alertRow returns an alert for display.
func alertRow(lang locale.Language, a alert.Alert, who kit.ActorNames) alerts.Row {
	row := alerts.Row{
		ID: a.ID, AlertText: locale.DescribeAlert(lang, string(a.Kind), a.Subject, a.Facts), Appliance: a.Appliance,
		Raised: a.RaisedAt, Cleared: a.ClearedAt, Installation: a.Installation,
	}
	if a.AcknowledgedAt != nil {
		row.SeenBy, row.SeenAt = who.ActorName(a.AcknowledgedBy), a.AcknowledgedAt
	}
	return row
}

// mailRows returns the latest e-mails, newest first; those about the installation only for governors.
func mailRows(lang locale.Language, board alert.AlertBoard, governs bool) (rows []alerts.MailRow) {
	for _, m := range board.Mails {
		about, known := board.FindAlert(m.AlertID)
		if known && about.Installation && !governs {
			continue
		}
		row := alerts.MailRow{At: m.CreatedAt, To: m.To, State: string(m.State), Error: m.Error, Event: string(m.Event)}
		if known {
			row.Title = locale.DescribeAlert(lang, string(about.Kind), about.Subject, about.Facts).Title
		}
		rows = append([]alerts.MailRow{row}, rows...)
	}
	return rows
}

// acknowledgeAlert records that the visitor has seen an alert.
func (s handlers) acknowledgeAlert(c echo.Context) error {
	v := kit.RequestVisitor(c)
	err := s.UseCases.AcknowledgeAlert(c.Request().Context(), kit.RequestCaller(c), c.Param("alert"), v.User.IsGovernor())
	if err != nil {
		return err
	}
	kit.FlashMessage(c, alerts.Acknowledged.In(v.Lang))
	return kit.RedirectTo(c, alertsPath)
}

// saveAlertRecipients sets the organization's e-mail recipients of alerts, one a line.
func (s handlers) saveAlertRecipients(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	divides := func(r rune) bool { return strings.ContainsRune("\r\n,; \t", r) }
	typed := strings.FieldsFunc(c.FormValue("recipients"), divides)
	shown := kit.ReadShown(c, recipientsPart)
	err := s.UseCases.ChangeAlertRecipients(c.Request().Context(), kit.RequestCaller(c), typed, shown.IsUnchanged)
	if broken := (&service.ViolationError{}); errors.As(err, &broken) {
		form := uiform.ReplacedSetting{Revision: shown.Revision}
		return s.alertsPage(c, http.StatusUnprocessableEntity, typed, &form, alerts.BadRecipients.In(l))
	}
	if kit.IsStale(err) {
		form := shown.ConflictWith(
			[]kit.FormValue{{alerts.Recipients.In(l), strings.Join(shown.Kept, "\n")}},
			[]kit.FormValue{{alerts.Recipients.In(l), strings.Join(typed, "\n")}},
		)
		return s.alertsPage(c, http.StatusConflict, typed, &form, "")
	}
	if err != nil {
		return err
	}
	kit.FlashMessage(c, alerts.Saved.In(l))
	return kit.RedirectTo(c, alertsPath)
}

// recipientsPart returns what the form of the addresses replaces.
func recipientsPart(addresses []string) any { return strings.Join(addresses, "\n") }

// testAlertMail queues a test e-mail.
func (s handlers) testAlertMail(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	err := s.UseCases.TestAlertMail(c.Request().Context(), kit.RequestCaller(c))
	if broken := (&service.ViolationError{}); errors.As(err, &broken) {
		return s.alertsPage(c, http.StatusUnprocessableEntity, nil, nil, alerts.NoTest.In(l))
	}
	if err != nil {
		return err
	}
	kit.FlashMessage(c, alerts.Testing.In(l))
	return kit.RedirectTo(c, alertsPath)
}

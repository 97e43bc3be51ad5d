package alerts

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/ui/alerts"
	"munadi/ui/form"
)

const (
	mailServerPath = alertsPath + "/mail-server"
	// testTime limits a test message, for which the page waits; the mail server's own timeouts are shorter.
	testTime = 30 * time.Second
)

// Parts is what the section needs beside what all share.
type Parts struct {
	// FixedServer returns the mail server of the settings file, the environment or flags, which takes precedence over the
	// one that is set here; nil without one.
	FixedServer func() *alert.MailSetting
	// TestMail sends a test message by the mail server in force; its error says what the server answered.
	TestMail func(ctx context.Context, to string) error
}

// showMailServer shows the installation's mail server.
func (s handlers) showMailServer(c echo.Context) error {
	return s.mailServerPage(c, http.StatusOK, alerts.MailServerView{})
}

// mailServerPage renders the page with what was refused, if anything was.
func (s handlers) mailServerPage(c echo.Context, status int, p alerts.MailServerView) error {
	v := kit.RequestVisitor(c)
	kept, err := s.Store.FindMailSetting(c.Request().Context(), account.Default)
	if err != nil {
		return err
	}
	p.ConsolePage = s.ConsoleFrame(c, alerts.Server.In(v.Lang))
	p.Fixed = s.FixedServer()
	p.Set = p.Fixed != nil || kept.Host != ""
	fresh := form.NewBinder(v.Lang, nil, nil)
	if p.Form == nil {
		p.ReplacedSetting = kit.ReplacedSetting(kept, serverPart)
		p.Form = alerts.BindMailServer(fresh, newServer(kept))
	}
	if p.Test == nil {
		p.Test = alerts.BindTestMail(fresh, &alerts.TestMail{})
	}
	return kit.RenderPage(c, status, alerts.MailServerPage(p))
}

// newServer returns the form's values of a mail server.
func newServer(kept alert.MailSetting) *alerts.MailServer {
	return &alerts.MailServer{MailSetting: kept, Stored: len(kept.Password) > 0}
}

// serverPart returns what the form replaces of the mail server.
func serverPart(kept alert.MailSetting) any {
	kept.UpdatedAt = time.Time{}
	return kept
}

// saveMailServer sets the installation's mail server, or removes it.
func (s handlers) saveMailServer(c echo.Context) error {
	v := kit.RequestVisitor(c)
	if s.FixedServer() != nil {
		return s.mailServerPage(c, http.StatusConflict, alerts.MailServerView{})
	}
	kept, err := s.Store.FindMailSetting(c.Request().Context(), account.Default)
	if err != nil {
		return err
	}
	typed := newServer(kept)
	read := kit.BindSent(c)
	if fields := alerts.BindMailServer(read, typed); form.AnyFault(fields...) {
		return s.mailServerPage(c, http.StatusUnprocessableEntity, alerts.MailServerView{
			Form: fields, ReplacedSetting: form.ReplacedSetting{Revision: c.FormValue("revision")},
		})
	}
	shown := kit.ReadShown(c, serverPart)
	err = s.UseCases.ChangeMailSetting(c.Request().Context(), v.AuditActor(), service.MailSettingRequest{
		MailSetting: typed.MailSetting, Password: typed.Password, Seen: shown.IsUnchanged,
	})
	if broken, is := errors.AsType[*service.ViolationError](err); is {
		b := form.NewBinder(v.Lang, nil, kit.FormViolations(broken.Violations))
		return s.mailServerPage(c, http.StatusUnprocessableEntity, alerts.MailServerView{
			Form: alerts.BindMailServer(b, typed), ReplacedSetting: form.ReplacedSetting{Revision: shown.Revision},
		})
	}
	if kit.IsStale(err) {
		fields := alerts.BindMailServer(form.NewBinder(v.Lang, nil, nil), typed)
		saved := alerts.BindMailServer(form.NewBinder(v.Lang, nil, nil), newServer(shown.Kept))
		return s.mailServerPage(c, http.StatusConflict, alerts.MailServerView{
			Form: fields, ReplacedSetting: shown.ConflictOf(v.Lang, saved, fields),
		})
	}
	if err != nil {
		return err
	}
	said := alerts.ServerSaved
	if typed.Host == "" {
		said = alerts.ServerRemoved
	}
	return kit.RedirectSaying(c, mailServerPath, said.In(v.Lang))
}

// testMailServer sends a test message, and shows what the mail server answered.
func (s handlers) testMailServer(c echo.Context) error {
	v := kit.RequestVisitor(c)
	typed := alerts.TestMail{}
	alerts.BindTestMail(kit.BindSent(c), &typed)
	if err := alert.CheckAddress(typed.To); err != nil {
		b := form.NewBinder(v.Lang, nil, []form.Violation{{Path: "to", Message: err.Error()}})
		p := alerts.MailServerView{Test: alerts.BindTestMail(b, &typed)}
		return s.mailServerPage(c, http.StatusUnprocessableEntity, p)
	}
	p := alerts.MailServerView{Test: alerts.BindTestMail(form.NewBinder(v.Lang, nil, nil), &typed)}
	if !s.testing.TryLock() {
		p.Answer = alerts.ServerBusy.In(v.Lang)
		return s.mailServerPage(c, http.StatusTooManyRequests, p)
	}
	defer s.testing.Unlock()
	line := store.AuditEntry{At: s.Now().UTC(), Actor: v.AuditActor(), Action: "mail.test", Subject: "mail server"}
	if err := s.Store.AddAudit(c.Request().Context(), account.Default, line); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), testTime)
	defer cancel()
	if err := s.TestMail(ctx, typed.To); err != nil {
		p.Answer = err.Error()
		return s.mailServerPage(c, http.StatusUnprocessableEntity, p)
	}
	p.Correct = true
	return s.mailServerPage(c, http.StatusOK, p)
}

package alerting

import (
	"context"
	"errors"
	"strings"
	"time"

	"munadi/appliance/mailer"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/ui/alerts"
	"munadi/ui/locale"
)

const (
	// mailsEvery is how often queued e-mails are looked for; those of this appliance are sent at once.
	mailsEvery = 10 * time.Second
	// mailsAtOnce limits the e-mails of one organization in a row, so that a slow server delays none of another for
	// long.
	mailsAtOnce = 10
)

// RunMails sends queued e-mails until ctx ends. Of several appliances one claims each.
func (m *AlertMonitor) RunMails(ctx context.Context) error {
	tick := time.NewTicker(mailsEvery)
	defer tick.Stop()
	for {
		m.SendDue(ctx)
		select {
		case <-tick.C:
		case <-m.queued:
		case <-ctx.Done():
			return nil
		}
	}
}

// SendDue sends the e-mails that are due.
func (m *AlertMonitor) SendDue(ctx context.Context) {
	if !m.Mail.HasServer(ctx) {
		return
	}
	orgs, err := m.Store.ListOrganizations(ctx)
	if err != nil {
		return // the monitor notices that the database is away
	}
	for _, org := range orgs {
		for n := 0; n < mailsAtOnce && ctx.Err() == nil && m.sendNext(ctx, org.ID); n++ {
		}
	}
}

// errNoMailReady leaves a board unchanged: no e-mail to claim.
var errNoMailReady = errors.New("no e-mail is due")

// sendNext claims and sends one e-mail of an organization; false when none is due.
func (m *AlertMonitor) sendNext(ctx context.Context, orgID string) bool {
	board, err := m.Store.FindAlerts(ctx, orgID)
	now := m.Now().UTC()
	if next := board.NextMail(); err != nil || next.IsZero() || next.After(now) {
		return false
	}
	var mail alert.AlertMail
	board, err = m.Store.ChangeAlerts(ctx, orgID, func(b *alert.AlertBoard) (store.AlertEffects, error) {
		claimed := false
		if mail, claimed = b.ClaimMail(now); !claimed {
			return store.AlertEffects{}, errNoMailReady
		}
		return store.AlertEffects{}, nil
	})
	if err != nil {
		return false
	}
	about, known := board.FindAlert(mail.AlertID)
	if known || mail.Event == alert.Trial {
		err = m.sendMail(ctx, orgID, about, mail)
	} else {
		err = errAlertDeleted
	}
	m.recordMail(context.WithoutCancel(ctx), orgID, mail, err)
	return true
}

// errAlertDeleted is the error of an e-mail whose alert is no longer stored.
var errAlertDeleted = errors.New("the alert is no longer listed")

// recordMail records an attempt. When that fails the e-mail is sent again after its lease, with the same Message-ID.
func (m *AlertMonitor) recordMail(ctx context.Context, orgID string, mail alert.AlertMail, fault error) {
	text := ""
	if fault != nil {
		text = fault.Error()
		m.Log.Warn("an e-mail of an alert could not be sent", "org", orgID, "alert_id", mail.AlertID, "attempt", mail.Tries,
			"err", text)
	}
	permanent := mailer.IsPermanent(fault) || errors.Is(fault, errAlertDeleted)
	_, err := m.Store.ChangeAlerts(ctx, orgID, func(b *alert.AlertBoard) (store.AlertEffects, error) {
		b.RecordMail(mail.ID, text, permanent, m.Now().UTC())
		return store.AlertEffects{}, nil
	})
	if err != nil {
		m.Log.Warn("the outcome of an e-mail could not be recorded", "org", orgID, "err", err)
	}
}

// sendMail sends one e-mail about an alert.
func (m *AlertMonitor) sendMail(ctx context.Context, orgID string, a alert.Alert, mail alert.AlertMail) error {
	server, err := m.Mail.FindServer(ctx)
	if err != nil {
		return err
	}
	message := mailer.Mail{ID: mail.ID, To: mail.To, At: m.Now()}
	if message.Subject, message.Text = composeMail(a, mail.Event, orgID, m.PublicURL()); mail.Event == alert.Trial {
		message.Subject, message.Text = composeTest(m.PublicURL())
	}
	return server.SendMail(ctx, message)
}

// SendTest sends an e-mail that says it is a trial, to see whether the settings work.
func SendTest(ctx context.Context, server mailer.MailServer, id, to, host string, now time.Time) error {
	subject, text := composeTest(host)
	return server.SendMail(ctx, mailer.Mail{ID: id, To: to, Subject: subject, Text: text, At: now})
}

// mailTime is the format of times in e-mails: UTC, since the reader's time zone is unknown.
const mailTime = "2006-01-02 15:04 UTC"

// maxSubject is the longest subject, in characters.
const maxSubject = 120

// composeMail returns an e-mail's subject and text, in Arabic and then in English.
func composeMail(a alert.Alert, event alert.AlertEvent, orgID, publicURL string) (subject, text string) {
	var parts, subjects []string
	for _, lang := range locale.AllLanguages() {
		said := locale.DescribeAlert(lang, string(a.Kind), a.Subject, a.Facts)
		title := said.Title
		if event == alert.Cleared {
			title = locale.FillSentence(locale.AlertOver.In(lang), "title", said.Title)
		}
		lines := []string{title, locale.FillSentence(alerts.MailSince.In(lang), "time", a.RaisedAt.UTC().Format(mailTime))}
		if a.ClearedAt != nil && event == alert.Cleared {
			lines = append(lines, locale.FillSentence(alerts.MailUntil.In(lang), "time", a.ClearedAt.UTC().Format(mailTime)))
		} else {
			lines = append(lines, said.What, said.Do)
		}
		if a.Appliance != "" {
			lines = append(lines, locale.FillSentence(alerts.MailAppliance.In(lang), "name", a.Appliance))
		}
		if orgID != account.Default && !a.Installation {
			lines = append(lines, locale.FillSentence(alerts.MailOrganization.In(lang), "name", orgID))
		}
		parts, subjects = append(parts, strings.Join(lines, "\n")), append(subjects, title)
	}
	subject = clipSubject("Munadi: " + strings.Join(subjects, " · "))
	return subject, strings.Join(parts, "\n\n") + "\n\n" + publicURL + "/console/alerts\n"
}

// composeTest returns the subject and text of a trial.
func composeTest(host string) (subject, text string) {
	var parts, subjects []string
	for _, lang := range locale.AllLanguages() {
		parts = append(parts, locale.FillSentence(alerts.MailTestText.In(lang), "host", host))
		subjects = append(subjects, alerts.MailTestTitle.In(lang))
	}
	return clipSubject("Munadi: " + strings.Join(subjects, " · ")), strings.Join(parts, "\n\n") + "\n"
}

// clipSubject makes text one line of at most maxSubject characters.
func clipSubject(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	return string(line[:min(len(line), maxSubject)])
}

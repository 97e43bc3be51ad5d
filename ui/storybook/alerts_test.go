package storybook

import (
	"munadi/store/alert"
	"munadi/ui/alerts"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

func alertsPage(l locale.Language) alerts.View {
	over, seen := hoursBeforeNoon(20), hoursBeforeNoon(1)
	stopped := alert.Alert{ID: "alert_1", Kind: "calling_stopped", RaisedAt: hoursBeforeNoon(2)}
	return alerts.View{
		ConsolePage: consoleFrame(l, "alerts", locale.ConsoleAlerts.In(l)), MayAcknowledge: true, Governs: true, Sends: true,
		MayTest: true, Webhook: true, ActorName: func(actor string) string { return actor },
		Form: alerts.BindRecipients(
			form.NewBinder(l, nil, []form.Violation{{Path: "recipients", Message: "<no address>"}}),
			&alerts.Recipients{Addresses: []string{"duty@example.com"}}),
		Open: []alert.Alert{
			stopped,
			{
				ID: "alert_2", Kind: "disk_full", Facts: map[string]string{"free": "3.1 GiB", "size": "64.0 GiB"},
				RaisedAt: hoursBeforeNoon(3), Installation: true, Appliance: "calls-1", AcknowledgedBy: "amal", AcknowledgedAt: &seen,
			},
		},
		Past: []alert.Alert{{
			ID: "alert_3", Kind: "trunk_down", Subject: "main", Facts: map[string]string{
				"cause": "account", "answer": "403 Account <suspended>",
			},
			RaisedAt: hoursBeforeNoon(21), ClearedAt: &over, Installation: true,
		}},
		Mails: []alerts.SentMail{
			{AlertMail: alert.AlertMail{CreatedAt: hoursBeforeNoon(2), To: "duty@example.com", State: "sent", Event: "raised"}, About: stopped},
			{AlertMail: alert.AlertMail{
				CreatedAt: hoursBeforeNoon(4), To: "duty@example.com", State: "failed", Event: "trial",
				Error: "the mail server answered: 535 authentication failed",
			}},
		},
	}
}

// alertedFrame is the frame of a page while three alerts are open.
func alertedFrame(l locale.Language) layout.ConsolePage {
	p := consoleFrame(l, "calls", "")
	for _, kind := range []string{"calling_stopped", "backup_failed", "overload"} {
		said := locale.DescribeAlert(l, kind, "", map[string]string{"last": "2026-11-18 02:30 UTC", "fault": "", "lines": "4"})
		p.Alerts = append(p.Alerts, layout.AlertBanner{
			Title: said.Title, What: said.What, Do: said.Do, Href: said.Href, Since: hoursBeforeNoon(2),
		})
	}
	return p
}

// mailServerPage returns the page of a mail server whose form and test were refused.
func mailServerPage(l locale.Language, answer string) alerts.MailServerView {
	refused := form.NewBinder(l, nil, []form.Violation{{Path: "password", Message: "required"}, {Path: "from", Message: "wrong"}})
	server := alerts.MailServer{
		MailSetting: alert.MailSetting{Host: "mail.example.com", Security: alert.MailTLS, User: "munadi"}, Stored: true,
	}
	return alerts.MailServerView{
		ConsolePage: consoleFrame(l, "alerts", alerts.Server.In(l)), Set: true, Answer: answer,
		Form: alerts.BindMailServer(refused, &server),
		Test: alerts.BindTestMail(form.NewBinder(l, nil, nil), &alerts.TestMail{To: "duty@example.com"}),
	}
}

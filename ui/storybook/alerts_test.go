package storybook

import (
	"munadi/ui/alerts"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

func alertsPage(l locale.Language) alerts.View {
	over, seen := hoursBeforeNoon(20), hoursBeforeNoon(1)
	disk := map[string]string{"free": "3.1 GiB", "size": "64.0 GiB"}
	return alerts.View{
		ConsolePage: consoleFrame(l, "alerts", alerts.Title.In(l)), MayAcknowledge: true, MayChange: true, Sends: true,
		MayTest: true, Webhook: true, Recipients: "duty@example.com",
		Open: []alerts.Row{
			{ID: "alert_1", AlertText: locale.DescribeAlert(l, "calling_stopped", "", nil), Raised: hoursBeforeNoon(2)},
			{
				ID: "alert_2", AlertText: locale.DescribeAlert(l, "disk_full", "", disk), Raised: hoursBeforeNoon(3), Installation: true,
				Appliance: "calls-1", SeenBy: "amal", SeenAt: &seen,
			},
		},
		Past: []alerts.Row{{
			ID: "alert_3", AlertText: locale.DescribeAlert(l, "trunk_down", "main", map[string]string{
				"cause": "account", "answer": "403 Account <suspended>",
			}),
			Raised: hoursBeforeNoon(21), Cleared: &over, Installation: true,
		}},
		Mails: []alerts.MailRow{
			{At: hoursBeforeNoon(2), To: "duty@example.com", State: "sent", Event: "raised", Title: locale.DescribeAlert(l, "calling_stopped", "", nil).Title},
			{At: hoursBeforeNoon(4), To: "duty@example.com", State: "failed", Event: "trial", Error: "the mail server answered: 535 authentication failed"},
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

package storybook

import (
	"strings"
	"time"

	"munadi/store/account"
	record "munadi/store/inbound"
	"munadi/store/scenario"
	"munadi/ui/accounts"
	"munadi/ui/alerts"
	"munadi/ui/audit"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/help"
	"munadi/ui/inbound"
	"munadi/ui/keys"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/models"
	"munadi/ui/webhook"
)

// accountPages returns the pages about people, keys and notifications.
func accountPages(l locale.Language) []Exhibit {
	return []Exhibit{
		{"page-sign-in", accounts.SignInPage(accounts.SignIn{ConsolePage: signedOutFrame(l), Next: "/console/calls", Local: true})},
		{"page-sign-in-wrong", accounts.SignInPage(accounts.SignIn{
			ConsolePage: signedOutFrame(l), Name: "amal", Fault: accounts.SignInWrong.In(l),
		})},
		{"page-certificate", accounts.CertificatePage(accounts.CertificateView{
			ConsolePage: signedOutFrame(l), Name: "Munadi on office", Until: "2036-11-18", File: "/console/certificate/munadi.crt",
			Fingerprint: strings.TrimSuffix(strings.Repeat("A1:", 32), ":"),
		})},
		{"page-set-up", accounts.SetUpPage(accounts.SetUp{ConsolePage: signedOutFrame(l), User: "admin"})},
		{"page-set-up-closed", accounts.SetUpPage(accounts.SetUp{ConsolePage: signedOutFrame(l), Closed: true})},
		{"page-welcome", accounts.WelcomePage(accounts.WelcomeView{
			ConsolePage: consoleFrame(l, "welcome", accounts.SetUpKeyTitle.In(l)), Key: "mnd_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM",
			Number: "+966500000000",
			Pitch:  &models.PitchView{Model: "organization/large", License: "CC BY 4.0", Size: "459 MB"},
		})},
		{"page-alerts", alerts.Page(alertsPage(l))},
		{"page-alerts-empty", alerts.Page(alerts.View{ConsolePage: consoleFrame(l, "alerts", alerts.Title.In(l))})},
		{"part-alerts", layout.AlertRegion(alertedFrame(l))},
		{"page-help", help.Page(helpPage(l))},
		{"page-help-found", help.Page(foundPage(l))},
		{"page-help-article", help.Article(articlePage(l))},
		{"page-account", accounts.AccountPage(accountPage(l))},
		{"page-users", accounts.UsersPage(usersPage(l))},
		{"page-user-delete", layout.ConfirmPage(layout.ConfirmView{
			ConsolePage: consoleFrame(l, "users", accounts.DeleteAsk.In(l)), Question: component.AskQuestion{
				Title: accounts.DeleteAsk.In(l), Text: "\u2068amal\u2069 · " + accounts.DeleteWhat.In(l), CSRF: "csrf",
				Action: "/console/users/u2/delete", Do: accounts.Delete.In(l), Danger: true, Back: "/console/users",
				Leave: accounts.Cancel.In(l),
			},
		})},
		{"page-organizations", accounts.OrganizationsPage(accounts.OrganizationsView{
			ConsolePage: consoleFrame(l, "organizations", accounts.Orgs.In(l)), TableList: tableList("/console/organizations", 2), All: []accounts.OrganizationRow{
				{ID: "default", Name: "Default", Created: hoursBeforeNoon(0), Shown: true}, {ID: "bakery", Name: "مخبز الحي", Created: hoursBeforeNoon(3)},
			},
		})},
		{"page-inbound", inbound.Page(inboundPage(l))},
		{"page-inbound-empty", inbound.Page(inbound.View{ConsolePage: consoleFrame(l, "inbound", inbound.Title.In(l))})},
		{"page-keys", keys.Page(keysPage(l))},
		{"page-keys-empty", keys.Page(keys.View{ConsolePage: consoleFrame(l, "keys", keys.Title.In(l))})},
		{"page-audit", audit.Page(auditPage(l))},
		{"page-audit-changed", audit.Page(audit.View{
			ConsolePage: consoleFrame(l, "audit", audit.Title.In(l)), Verified: true,
			Fault: "entry 7 of chain 00 is missing, before entry 8 (2026-11-21T09:30:00Z, key.create by user:1)",
		})},
		{"page-webhook", webhook.WebhookPage(webhookPage(l))},
		{"page-webhook-conflict", webhook.WebhookPage(webhook.WebhookView{
			ConsolePage: consoleFrame(l, "webhook", webhook.Title.In(l)), URL: "https://shop.example/b",
			ReplacedSetting: form.ReplacedSetting{Revision: "f3a", Conflict: []form.ConflictRow{
				{Label: webhook.URL.In(l), Saved: "https://shop.example/a", Typed: "https://shop.example/b"},
				{Label: webhook.Enabled.In(l), Saved: locale.ConflictOn.In(l), Typed: locale.ConflictOff.In(l)},
			}},
		})},
		{"page-webhook-empty", webhook.WebhookPage(webhook.WebhookView{ConsolePage: consoleFrame(l, "webhook", webhook.Title.In(l))})},
		{"page-delivery", webhook.DeliveryPage(webhook.OneDelivery{
			ConsolePage: consoleFrame(l, "webhook", webhook.One.In(l)), Delivery: failedDelivery(),
		})},
		{"page-failure", layout.FailurePage(layout.FailureView{
			ConsolePage: consoleFrame(l, "trouble", "404"), Status: 404, Request: "da9193c6-1364-45c3-a20e-2aea74d14f04",
		})},
	}
}

// signedOutFrame returns the frame before the sign-in, inside the one after it.
func signedOutFrame(l locale.Language) layout.ConsolePage {
	p := ConsoleFrame(l, "sign-in", accounts.SignInTitle.In(l))
	p.User, p.Org, p.CSRF, p.Section, p.Sections, p.Flash = "", "", "", "", nil, nil
	return p
}

func consoleFrame(l locale.Language, section, title string) layout.ConsolePage {
	p := ConsoleFrame(l, section, title)
	p.Sections = append(p.Sections, shownSections("webhook", "keys", "users", "audit")...)
	return p
}

// hoursBeforeNoon returns a moment some hours before the noon of one day.
func hoursBeforeNoon(before int) time.Time {
	return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).Add(-time.Duration(before) * time.Hour)
}

func accountPage(l locale.Language) accounts.AccountView {
	return accounts.AccountView{
		ConsolePage: consoleFrame(l, "account", accounts.Account.In(l)), Role: "owner", Governs: true,
		Sessions: []accounts.Session{
			{ID: "a1", Agent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0", Address: "192.0.2.7", Began: hoursBeforeNoon(2), Seen: hoursBeforeNoon(0), This: true},
			{ID: "b2", Agent: "Mozilla/5.0 (iPhone) Safari/605", Address: "2001:db8::7", Began: hoursBeforeNoon(30), Seen: hoursBeforeNoon(5)},
		},
	}
}

func usersPage(l locale.Language) accounts.UsersView {
	at := hoursBeforeNoon(1)
	return accounts.UsersView{
		ConsolePage: consoleFrame(l, "users", accounts.Users.In(l)), Governs: true, Role: "operator", Made: "abcde-fghjk-mnpqr-stuvw",
		TableList: tableList("/console/users", 3),
		Users: []accounts.UserRow{
			{ID: "u1", Name: "admin", Role: "owner", Created: hoursBeforeNoon(90), LastSignIn: &at, You: true},
			{ID: "u2", Name: "أمل", Role: "operator", Created: hoursBeforeNoon(20), LastSignIn: &at},
			{ID: "u3", Name: "zaid@night", Role: "viewer", Created: hoursBeforeNoon(10), Disabled: true},
		},
	}
}

// tableList returns the list header of a table of n lines.
func tableList(path string, n int) component.TableList {
	return component.TableList{Action: path, CSV: path + ".csv", Shown: n}
}

func inboundPage(l locale.Language) inbound.View {
	route, settings := record.Route{Number: "0112"}, record.Settings{CallbackDays: 7, Closed: "نحن <مغلقون>"}
	caller := inbound.SimulatedCaller{From: "+966500000007"}
	scenarios := []scenario.Scenario{{ID: "visit", Name: "زيارة <b>"}, {ID: "order", Name: "Order"}}
	binder := func(fault string) *form.Binder {
		return form.NewBinder(l, nil, []form.Violation{{Path: fault, Message: "wrong"}})
	}
	return inbound.View{
		ConsolePage: consoleFrame(l, "inbound", inbound.Title.In(l)), TableList: tableList("/console/inbound", 2),
		Routes: []inbound.NamedRoute{
			{Route: record.Route{Number: "+966112345678", ScenarioID: "visit", Lines: new(4)}, Scenario: "زيارة <b>"},
			{Route: record.Route{Number: "+97144*", ScenarioID: "gone"}, Scenario: "gone"},
		},
		Route: inbound.BindRoute(binder("number"), &route, scenarios), Settings: inbound.BindSettings(binder("callback_days"), &settings),
		Caller: inbound.BindCaller(binder("to"), &caller),
	}
}

func keysPage(l locale.Language) keys.View {
	used, revoked := hoursBeforeNoon(1), hoursBeforeNoon(3)
	typed := keys.UsualKey()
	return keys.View{
		ConsolePage: consoleFrame(l, "keys", keys.Title.In(l)), TableList: tableList("/console/keys", 2),
		Form: keys.BindNewKey(form.NewBinder(l, nil, []form.Violation{{Path: "name"}}), &typed),
		Made: "mnd_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM",
		Keys: []account.APIKey{
			{
				ID: "k1", Name: "نظام المواعيد", Prefix: "mnd_01234567", CreatedAt: hoursBeforeNoon(8), LastUsedAt: &used,
				Scopes: []account.KeyScope{account.ScopeSTT, account.ScopeCalls},
			},
			{
				ID: "k2", Name: "<old> till", Prefix: "mnd_89abcdef", CreatedAt: hoursBeforeNoon(99), RevokedAt: &revoked,
				Scopes: []account.KeyScope{"calls:read", "people:erase"},
			},
		},
	}
}

func auditPage(l locale.Language) audit.View {
	return audit.View{
		ConsolePage: consoleFrame(l, "audit", audit.Title.In(l)), Partly: true, Verified: true,
		TableList: component.TableList{
			Action: "/console/audit", Filter: "key", CSV: "/console/audit.csv?q=key", Shown: 2,
			Next: "/console/audit?cursor=x&q=key", First: "/console/audit?q=key",
		},
		Lines: []audit.Line{
			{At: hoursBeforeNoon(0), Who: "أمل", Action: "key.create", Subject: "mnd_01234567", Detail: "shop: stt,calls"},
			{At: hoursBeforeNoon(1), Who: "192.0.2.9", Action: "user.sign_in_refused", Subject: "admin"},
			{At: hoursBeforeNoon(2), Who: "key k1", Action: "suppression.put", Subject: "+9665•••••01"},
		},
	}
}

func webhookPage(l locale.Language) webhook.WebhookView {
	test := failedDelivery()
	return webhook.WebhookView{
		ConsolePage: consoleFrame(l, "webhook", webhook.Title.In(l)), URL: "https://example.com/munadi", Enabled: true,
		Signing: true, Saved: true, Secrets: []webhook.SecretRow{{Since: hoursBeforeNoon(4)}}, Made: "whsec_MDEyMzQ1Njc4OWFiY2RlZg==", Test: &test,
		Deliveries: []webhook.DeliveryRow{
			failedDelivery(),
			{ID: "dlv_2", Kind: "call", CallID: "call_2", State: "delivered", Created: hoursBeforeNoon(2), Tries: []webhook.TryExchange{{Number: 1, At: hoursBeforeNoon(2), Status: 200}}},
			{ID: "dlv_3", Kind: "call", CallID: "call_3", State: "pending", Created: hoursBeforeNoon(0)},
		},
		Next: "/console/webhook?cursor=x#deliveries",
	}
}

// failedDelivery returns a notification that failed.
func failedDelivery() webhook.DeliveryRow {
	return webhook.DeliveryRow{
		ID: "dlv_1", Kind: "test", CallID: "call_1", State: "failed", Created: hoursBeforeNoon(1),
		Tries: []webhook.TryExchange{
			{
				Number: 1, At: hoursBeforeNoon(1), URL: "https://example.com/munadi", Status: 500, Error: "answered 500", Took: 1234 * time.Millisecond,
				Request: "{\n  \"event\": \"complete\"\n}", Response: "<h1>Oops</h1>",
			},
			{Number: 2, At: hoursBeforeNoon(1), URL: "https://example.com/munadi", Error: "no answer within 10 s", Took: 10 * time.Second, Request: "{}"},
		},
	}
}

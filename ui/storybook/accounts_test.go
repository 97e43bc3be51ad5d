package storybook

import (
	"strings"
	"time"

	"munadi/store/account"
	"munadi/store/alert"
	"munadi/store/call"
	"munadi/store/delivery"
	record "munadi/store/inbound"
	"munadi/store/replay"
	"munadi/store/scenario"
	"munadi/store/siptrunk"
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
	"munadi/ui/replays"
	"munadi/ui/trunks"
	"munadi/ui/webhook"
)

// accountPages returns the pages about people, keys and notifications.
func accountPages(l locale.Language) []Exhibit {
	return []Exhibit{
		{"page-sign-in", accounts.SignInPage(accounts.SignIn{ConsolePage: signedOutFrame(l), Next: "/console/calls", Local: true})},
		{"page-sign-in-company", accounts.SignInPage(accounts.SignIn{
			ConsolePage: signedOutFrame(l),
			Company:     &accounts.CompanyButton{Name: "Keycloak <A>", Address: "/console/sign-in/company?next=%2Fconsole", Away: true},
		})},
		{"page-sign-in-company-unnamed", accounts.SignInPage(accounts.SignIn{
			ConsolePage: signedOutFrame(l), Company: &accounts.CompanyButton{Address: "/console/sign-in/company?next=%2Fconsole"},
		})},
		{"page-sign-in-wrong", accounts.SignInPage(accounts.SignIn{
			ConsolePage: signedOutFrame(l), Name: "amal", Fault: accounts.SignInWrong.In(l),
		})},
		{"page-certificate", accounts.CertificatePage(accounts.CertificateView{
			ConsolePage: signedOutFrame(l), Name: "Munadi on office", Until: "2036-11-18", File: "/console/certificate/munadi.crt",
			Fingerprint: strings.TrimSuffix(strings.Repeat("A1:", 32), ":"),
		})},
		{"page-set-up", accounts.SetUpPage(accounts.SetUp{
			ConsolePage: signedOutFrame(l), User: "admin",
			Form: accounts.BindFirstUser(form.NewBinder(l, nil, []form.Violation{{Path: "again", Message: "<differ>"}}), &accounts.FirstUser{Zone: "Asia/Riyadh"}),
		})},
		{"page-set-up-closed", accounts.SetUpPage(accounts.SetUp{ConsolePage: signedOutFrame(l), Closed: true})},
		{"page-welcome", accounts.WelcomePage(accounts.WelcomeView{
			ConsolePage: consoleFrame(l, "welcome", accounts.SetUpKeyTitle.In(l)), Key: "mnd_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM",
			Number: "+966500000000",
			Pitch:  &models.PitchView{Model: "organization/large", License: "CC BY 4.0", Size: "459 MB"},
		})},
		{"page-alerts", alerts.Page(alertsPage(l))},
		{"page-alerts-empty", alerts.Page(alerts.View{ConsolePage: consoleFrame(l, "alerts", locale.ConsoleAlerts.In(l))})},
		{"page-mail-server", alerts.MailServerPage(mailServerPage(l, "535 5.7.8 authentication <failed>"))},
		{"page-mail-server-fixed", alerts.MailServerPage(alerts.MailServerView{
			ConsolePage: consoleFrame(l, "alerts", alerts.Server.In(l)), Set: true, Correct: true,
			Fixed: &alert.MailSetting{Host: "mail.example.com", Port: 587, Security: alert.MailStartTLS, User: "munadi", From: "munadi@example.com"},
			Test:  alerts.BindTestMail(form.NewBinder(l, nil, nil), &alerts.TestMail{To: "duty@example.com"}),
		})},
		{"page-trunks", trunks.Page(trunks.View{
			ConsolePage: consoleFrame(l, "system", trunks.Title.In(l)), Simulated: true,
			Rows: []trunks.Row{
				{Name: "stc", Address: "sip:trunk.example.com", Known: true, Up: true, Registers: true, Registered: true},
				{Name: "new", Address: "sip:new.example.com", Known: true, Up: true, Unheard: true},
				{Name: "gulf", Address: "sip:192.0.2.1", Known: true, Registers: true, Fault: "refuses <calls>"},
				{Name: "pbx", Address: "sips:pbx.example.com", Known: true},
				{Name: "new", Address: "sip:h"},
			},
			Form: trunks.BindTrunk(form.NewBinder(l, nil, trunkFaults()), &trunks.Typed{New: true}),
		})},
		{"page-trunks-fixed", trunks.Page(trunks.View{
			ConsolePage: consoleFrame(l, "system", trunks.Title.In(l)), Fixed: true,
			Rows: []trunks.Row{{Name: "stc", Address: "trunk.example.com (UDP)", Known: true, Up: true, Calls: "2 / 30"}},
		})},
		{"page-trunks-empty", trunks.Page(trunks.View{ConsolePage: consoleFrame(l, "system", trunks.Title.In(l))})},
		{"page-trunk", trunks.OnePage(trunks.OneView{
			ConsolePage: consoleFrame(l, "system", "stc"), Row: trunks.Row{Name: "stc", Address: "sip:trunk.example.com", Known: true, Up: true},
			Form: trunks.BindTrunk(form.NewBinder(l, nil, nil), &trunks.Typed{
				Trunk: siptrunk.Trunk{Address: "sip:trunk.example.com", User: "munadi", Lines: 30, Prefixes: []string{"+966"}}, Stored: true,
			}),
			Test: trunks.BindTest(form.NewBinder(l, nil, []form.Violation{{Path: "phone_number"}, {Path: "scenario_id"}}), &trunks.TestCall{
				Scenarios: []form.Option{{Value: "visit", Name: "زيارة"}}, Scenario: "visit",
			}),
		})},
		{"page-trunk-delete", layout.ConfirmPage(consoleFrame(l, "system", trunks.RemoveAsk.In(l)), component.AskQuestion{
			Title: trunks.RemoveAsk.In(l), Text: "\u2066stc\u2069 · " + trunks.RemoveWhat.In(l), Action: "/console/trunks/stc/delete",
			Do: locale.KitDelete.In(l), Danger: true, Back: "/console/trunks/stc",
		})},
		{"part-alerts", layout.AlertRegion(alertedFrame(l))},
		{"page-help", help.Page(helpPage(l))},
		{"page-help-found", help.Page(foundPage(l))},
		{"page-help-article", help.Article(articlePage(l))},
		{"page-sign-in-code", accounts.SignInCodePage(accounts.SignInCode{
			ConsolePage: signedOutFrame(l), Next: "/console/calls",
			Form: accounts.BindSignInCode(form.NewBinder(l, nil, []form.Violation{{Path: "code", Message: accounts.FactorWrong.In(l)}})),
		})},
		{"page-second-factor", accounts.SecondFactorPage(accounts.SecondFactorView{
			ConsolePage: consoleFrame(l, "account", accounts.FactorTitle.In(l)), Needed: true,
			Offer: accounts.FactorOffer{
				Secret: "JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP", URI: "otpauth://totp/Munadi:amal?issuer=Munadi&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", Sealed: "sealed",
			},
			Form: accounts.BindCodeForm(form.NewBinder(l, nil, nil), &accounts.CodeForm{}),
		})},
		{"page-second-factor-on", accounts.SecondFactorPage(accounts.SecondFactorView{
			ConsolePage: consoleFrame(l, "account", accounts.FactorTitle.In(l)), Codes: strings.Repeat("abcde-fghjk-mnpqr-stuvw-xyz23\n", 10),
			Factor: &account.SecondFactor{Since: hoursBeforeNoon(40), Recovery: make([][]byte, 9)},
			Form:   accounts.BindCodeForm(form.NewBinder(l, nil, []form.Violation{{Path: "current", Message: "<wrong>"}}), &accounts.CodeForm{}),
		})},
		{"page-sign-in-passkey", accounts.SignInPage(accounts.SignIn{ConsolePage: signedOutFrame(l), Passkey: true})},
		{"page-sign-in-code-passkey", accounts.SignInCodePage(accounts.SignInCode{
			ConsolePage: signedOutFrame(l), Passkey: true, Form: accounts.BindSignInCode(form.NewBinder(l, nil, nil)),
		})},
		{"page-passkeys", accounts.PasskeysPage(passkeysPage(l))},
		{"page-passkeys-full", accounts.PasskeysPage(fullPasskeysPage(l))},
		{"page-passkeys-elsewhere", accounts.PasskeysPage(accounts.PasskeysView{
			ConsolePage: consoleFrame(l, "account", accounts.PasskeysTitle.In(l)), Public: "https://munadi.example.com",
		})},
		{"page-passkeys-unconfirmed", accounts.PasskeysPage(accounts.PasskeysView{
			ConsolePage: consoleFrame(l, "account", accounts.PasskeysTitle.In(l)), Confirm: "/console/account/confirm?next=%2Fconsole%2Faccount%2Fpasskeys",
		})},
		{"page-confirm-passkey", accounts.ConfirmPage(accounts.ConfirmView{
			ConsolePage: consoleFrame(l, "account", accounts.ConfirmTitle.In(l)), HasPassword: true, NeedsCode: true, Passkey: true, Next: "/console/account",
		})},
		{"page-confirm", accounts.ConfirmPage(accounts.ConfirmView{
			ConsolePage: consoleFrame(l, "account", accounts.ConfirmTitle.In(l)), HasPassword: true, Next: "/console/account",
			Company: &accounts.CompanyButton{Name: "Keycloak <A>", Address: "/console/account/confirm/company?next=%2Fconsole"},
			Fault:   accounts.WrongCurrent.In(l),
		})},
		{"page-account-unconfirmed", accounts.AccountPage(unconfirmedPage(l))},
		{"page-account", accounts.AccountPage(accountPage(l))},
		{"page-users", accounts.UsersPage(usersPage(l))},
		{"page-user-delete", layout.ConfirmPage(consoleFrame(l, "users", accounts.DeleteAsk.In(l)), component.AskQuestion{
			Title: accounts.DeleteAsk.In(l), Text: "\u2068amal\u2069 · " + accounts.DeleteWhat.In(l),
			Action: "/console/users/u2/delete", Do: locale.KitDelete.In(l), Danger: true, Back: "/console/users",
		})},
		{"page-organizations", accounts.OrganizationsPage(accounts.OrganizationsView{
			ConsolePage: consoleFrame(l, "organizations", accounts.Orgs.In(l)), TableList: tableList("/console/organizations", 2), Shown: "default", All: []account.Organization{
				{ID: "default", Name: "Default", CreatedAt: hoursBeforeNoon(0)}, {ID: "bakery", Name: "مخبز الحي", CreatedAt: hoursBeforeNoon(3)},
			},
			Form: accounts.BindNewOrganization(form.NewBinder(l, nil, nil), &accounts.NewOrganization{}),
		})},
		{"page-inbound", inbound.Page(inboundPage(l))},
		{"page-inbound-empty", inbound.Page(inbound.View{ConsolePage: consoleFrame(l, "inbound", inbound.Title.In(l))})},
		{"page-inbound-refused", inbound.RefusedPage(refusedPage(l))},
		{"page-inbound-refused-empty", inbound.RefusedPage(inbound.RefusedView{ConsolePage: consoleFrame(l, "inbound", inbound.RefusedTitle.In(l))})},
		{"page-replays", replays.Page(replaysPage(l))},
		{"page-replays-empty", replays.Page(replays.View{ConsolePage: consoleFrame(l, "replays", replays.Title.In(l))})},
		{"page-replay", replays.OnePage(replayPage(l))},
		{"page-keys", keys.Page(keysPage(l))},
		{"page-keys-empty", keys.Page(keys.View{ConsolePage: consoleFrame(l, "keys", keys.Title.In(l))})},
		{"page-audit", audit.Page(auditPage(l))},
		{"page-audit-changed", audit.Page(audit.View{
			ConsolePage: consoleFrame(l, "audit", audit.Title.In(l)), Verified: true,
			Fault: "entry 7 of chain 00 is missing, before entry 8 (2026-11-21T09:30:00Z, key.create by user:1)",
		})},
		{"page-webhook", webhook.WebhookPage(webhookPage(l))},
		{"page-webhook-conflict", webhook.WebhookPage(webhook.WebhookView{
			ConsolePage: consoleFrame(l, "webhook", locale.WebhookTitle.In(l)), Form: webhookForm(l, "https://shop.example/b"),
			ReplacedSetting: form.ReplacedSetting{Revision: "f3a", Conflict: []form.ConflictRow{
				{Label: webhook.URL.In(l), Saved: "https://shop.example/a", Typed: "https://shop.example/b"},
				{Label: webhook.Enabled.In(l), Saved: locale.ConflictOn.In(l), Typed: locale.ConflictOff.In(l)},
			}},
		})},
		{"page-webhook-empty", webhook.WebhookPage(webhook.WebhookView{
			ConsolePage: consoleFrame(l, "webhook", locale.WebhookTitle.In(l)), Form: webhookForm(l, ""),
		})},
		{"page-delivery", webhook.DeliveryPage(webhook.DeliveryView{
			ConsolePage: consoleFrame(l, "webhook", webhook.One.In(l)), Delivery: failedDelivery(),
		})},
		{"page-failure", layout.FailurePage(layout.FailureView{
			ConsolePage: consoleFrame(l, "trouble", "404"), Status: 404, Request: "da9193c6-1364-45c3-a20e-2aea74d14f04",
		})},
		{"page-unsent", layout.UnsentPage(layout.UnsentForm{
			ConsolePage: consoleFrame(l, "trouble", locale.UnsentReady.In(l)), Address: "/console/trunks/stc", HadFile: true,
			Fields: []layout.UnsentField{{Name: "address", Values: []string{"sip.example.com"}}}, Secrets: []string{"password"},
		})},
		{"page-unsent-signed-out", layout.UnsentPage(layout.UnsentForm{
			ConsolePage: signedOutFrame(l), Address: "/console/calls", Parts: true, Secrets: []string{"password"},
			Fields: []layout.UnsentField{{Name: "note", Values: []string{"تأكيد \"الموعد\""}}},
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
	id := func(s account.UserSession) string { return s.UserID }
	return accounts.AccountView{
		ConsolePage: consoleFrame(l, "account", locale.ConsoleAccount.In(l)), Role: account.Owner, Governs: true, HasPassword: true,
		Form: accounts.BindPassword(
			form.NewBinder(l, nil, []form.Violation{{Path: "current", Message: "<wrong>"}}), &accounts.ChosenPassword{}),
		Table: accounts.SessionTable(id, func(s account.UserSession) bool { return id(s) == "a1" }, true),
		Sessions: []account.UserSession{
			{UserID: "a1", Agent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0", Address: "192.0.2.7", CreatedAt: hoursBeforeNoon(2), SeenAt: hoursBeforeNoon(0)},
			{UserID: "b2", Agent: "Mozilla/5.0 (iPhone) Safari/605", Address: "2001:db8::7", CreatedAt: hoursBeforeNoon(30), SeenAt: hoursBeforeNoon(5)},
		},
	}
}

func passkeysPage(l locale.Language) accounts.PasskeysView {
	used, wrong := hoursBeforeNoon(1), form.NewBinder(l, nil, []form.Violation{{Path: "name", Message: "<wrong>"}})
	return accounts.PasskeysView{
		ConsolePage: consoleFrame(l, "account", accounts.PasskeysTitle.In(l)), Codes: strings.Repeat("abcde-fghjk-mnpqr-stuvw-xyz23\n", 10), CodesLeft: 9,
		Keys: []account.Passkey{
			{ID: []byte{1}, Name: "هاتف <أمل>", CreatedAt: hoursBeforeNoon(40), LastUsedAt: &used}, {ID: []byte{2}, Name: "key", CreatedAt: hoursBeforeNoon(2)},
		},
		Usable: true, Renamed: []byte{2}, NewName: accounts.BindPasskeyName(wrong, &accounts.PasskeyName{Name: "<key>"})[0],
		Form: accounts.BindPasskeyName(wrong, &accounts.PasskeyName{}),
	}
}

// fullPasskeysPage is the page of a user with as many as there may be.
func fullPasskeysPage(l locale.Language) accounts.PasskeysView {
	p := passkeysPage(l)
	p.Codes, p.Full = "", true
	return p
}

func unconfirmedPage(l locale.Language) accounts.AccountView {
	p := accountPage(l)
	p.Others, p.Confirm = true, "/console/account/confirm?next=%2Fconsole%2Faccount"
	return p
}

func usersPage(l locale.Language) accounts.UsersView {
	at := hoursBeforeNoon(1)
	return accounts.UsersView{
		ConsolePage: consoleFrame(l, "users", accounts.Users.In(l)), Governs: true, You: "u1", Made: "abcde-fghjk-mnpqr-stuvw",
		TableList: tableList("/console/users", 3),
		Form: accounts.BindNewUser(
			form.NewBinder(l, nil, []form.Violation{{Path: "name", Message: "<taken>"}}), &accounts.NewUser{Role: account.Operator}),
		Needed: accounts.BindNeeded(form.NewBinder(l, nil, nil), &accounts.NeededForm{Needed: true}),
		Users: []account.User{
			{ID: "u1", Name: "admin", Role: account.Owner, CreatedAt: hoursBeforeNoon(90), LastSignInAt: &at},
			{ID: "u2", Name: "أمل", Role: account.Operator, CreatedAt: hoursBeforeNoon(20), LastSignInAt: &at, SecondFactor: &account.SecondFactor{}},
			{ID: "u3", Name: "zaid@night", Role: account.Viewer, CreatedAt: hoursBeforeNoon(10), DisabledAt: &at},
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

func refusedPage(l locale.Language) inbound.RefusedView {
	p := inbound.RefusedView{ConsolePage: consoleFrame(l, "inbound", inbound.RefusedTitle.In(l)), Zone: time.UTC}
	for i, cause := range call.RefusalCauses {
		r := call.RefusedCall{
			First: hoursBeforeNoon(i + 2), Last: hoursBeforeNoon(i + 1), Times: i + 1, Trunk: "stc", Caller: "+9665•••••07", Called: "+9661•••••78",
			Status: 480, Cause: cause, Messages: []call.SIPMessage{
				{At: hoursBeforeNoon(i + 1), Peer: "udp 192.0.2.7:5060", Line: "INVITE sip:+9661•••••78@192.0.2.1 SIP/2.0", Headers: []string{"Via: <x>"}},
				{At: hoursBeforeNoon(i + 1), Sent: true, Peer: "udp 192.0.2.7:5060", Line: "SIP/2.0 480 Temporarily Unavailable"},
			},
		}
		if i == 0 {
			r.Caller, r.Called = "", ""
		}
		p.Calls = append(p.Calls, r)
	}
	return p
}

func namedReplay() replays.NamedReplay {
	return replays.NamedReplay{Scenario: "زيارة <b>", Replay: replay.Replay{
		ID: "replay_1", ScenarioID: "visit", State: replay.Running, Total: 110, CreatedAt: hoursBeforeNoon(1),
		From: hoursBeforeNoon(48), To: hoursBeforeNoon(1),
		Counts: replay.Counts{Same: 80, Changed: 2, Skipped: 3, Problems: map[replay.Problem]int{
			replay.RecordingGone: 1, replay.RecordingDamaged: 1, replay.Redacted: 1,
		}},
	}}
}

func replaysPage(l locale.Language) replays.View {
	running, paused, broken := namedReplay(), namedReplay(), namedReplay()
	paused.Version, paused.Model = 3, "other-model"
	paused.State, broken.State, broken.Broken = replay.Paused, replay.Broken, replay.VersionGone
	typed := replays.NewReplay{Scenario: "visit", Version: "draft", Days: "7"}
	return replays.View{
		ConsolePage: consoleFrame(l, "replays", replays.Title.In(l)), Replays: []replays.NamedReplay{running, paused, broken},
		Form: replays.BindNewReplay(form.NewBinder(l, nil, []form.Violation{{Path: "from"}}), &typed,
			[]scenario.Scenario{{ID: "visit", Name: "زيارة <b>"}}, []string{"other-model"}),
	}
}

// plainWords are a report's own words.
type plainWords struct{}

func (plainWords) PropertyName(property string) string { return property }

func (plainWords) ValueName(_, value string) string { return value }

func replayPage(l locale.Language) replays.OneView {
	row := func(r replay.Result) replays.ResultRow {
		return replays.ResultRow{
			Result: r, Name: "نورة <1>", Number: "+966500000001", Lines: replays.ListDifferences(l, r, plainWords{}),
		}
	}
	return replays.OneView{
		ConsolePage: consoleFrame(l, "replays", replays.Title.In(l)), NamedReplay: namedReplay(), May: true, Zone: time.UTC,
		Live: "/console/replays/replay_1/events", Next: "/console/replays/replay_1?cursor=x",
		Results: []replays.ResultRow{
			row(replay.Result{
				CallID: "call_1", State: replay.Changed, OldStatus: "completed", NewStatus: "failed", OldTurns: 3, NewTurns: 2, At: 4.25,
				Report: []replay.Difference{{Name: "confirmed", Old: "true", New: "null", At: 4.25}},
				Parted: &replay.Fork{Old: "thanks <1>", At: 6.5},
			}),
			row(replay.Result{CallID: "call_2", State: replay.Skipped, Problem: replay.NotHeard}),
			row(replay.Result{CallID: "call_3", State: replay.Skipped, Problem: replay.NoEnd}),
			row(replay.Result{CallID: "call_4", State: replay.Skipped, Problem: replay.ModelGone}),
		},
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
	test, called := failedDelivery(), callRow("2", "+966512345602", "completed")
	return webhook.WebhookView{
		ConsolePage: consoleFrame(l, "webhook", locale.WebhookTitle.In(l)), Form: webhookForm(l, "https://example.com/munadi"),
		Saved: true, Secrets: []delivery.SigningSecret{{CreatedAt: hoursBeforeNoon(4)}}, Made: "whsec_MDEyMzQ1Njc4OWFiY2RlZg==", Test: &test,
		Deliveries: []delivery.Delivery{
			failedDelivery(),
			{ID: "dlv_2", Kind: "call", CallID: "call_2", State: "delivered", CreatedAt: hoursBeforeNoon(2), Tries: []delivery.DeliveryTry{{At: hoursBeforeNoon(2), StatusCode: 200}}},
			{ID: "dlv_3", Kind: "call", CallID: "call_3", State: "pending", CreatedAt: hoursBeforeNoon(0)},
		},
		Subjects: webhook.Subjects{"call_2": {Call: &called, URL: "/console/calls/call_2"}},
		Next:     "/console/webhook?cursor=x#deliveries",
	}
}

func webhookForm(l locale.Language, url string) []form.Field {
	setting := delivery.WebhookSetting{URL: url, Enabled: true, Signing: true}
	return webhook.BindSetting(form.NewBinder(l, nil, []form.Violation{{Path: "url", Message: "<refused>"}}), &setting)
}

// failedDelivery returns a notification that failed.
func failedDelivery() delivery.Delivery {
	return delivery.Delivery{
		ID: "dlv_1", Kind: "test", CallID: "call_1", State: "failed", CreatedAt: hoursBeforeNoon(1),
		Tries: []delivery.DeliveryTry{
			{
				At: hoursBeforeNoon(1), URL: "https://example.com/munadi", StatusCode: 500, Error: "answered 500", Duration: 1234 * time.Millisecond,
				Request: "{\n  \"event\": \"complete\"\n}", Response: "<h1>Oops</h1>",
			},
			{At: hoursBeforeNoon(1), URL: "https://example.com/munadi", Error: "no answer within 10 s", Duration: 10 * time.Second, Request: "{}"},
		},
	}
}

// trunkFaults are a fault of each field of a trunk.
func trunkFaults() (all []form.Violation) {
	for _, path := range []string{
		"name", "trunk", "prefixes", "lines", "user", "password", "from", "srtp", "calls-per-second", "plus",
	} {
		all = append(all, form.Violation{Path: path, Message: "is <wrong>"})
	}
	return all
}

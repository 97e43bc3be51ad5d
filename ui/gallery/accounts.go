package gallery

import (
	"strings"
	"time"

	"munadi/ui/page"
	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// accountPages are the pages about people, keys and notifications.
func accountPages(l text.Lang) []Exhibit {
	return []Exhibit{
		{"page-sign-in", page.SignInPage(page.SignIn{ConsolePage: outside(l), Next: "/console/calls", Local: true})},
		{"page-sign-in-wrong", page.SignInPage(page.SignIn{
			ConsolePage: outside(l), Name: "amal", Fault: text.SignInIn(l).Wrong,
		})},
		{"page-certificate", page.CertificatePage(page.Certificate{
			ConsolePage: outside(l), Name: "Munadi on office", Until: "2036-11-18", File: "/console/certificate/munadi.crt",
			Fingerprint: strings.TrimSuffix(strings.Repeat("A1:", 32), ":"),
		})},
		{"page-set-up", page.SetUpPage(page.SetUp{ConsolePage: outside(l), User: "admin"})},
		{"page-set-up-closed", page.SetUpPage(page.SetUp{ConsolePage: outside(l), Closed: true})},
		{"page-welcome", page.WelcomePage(page.Welcome{
			ConsolePage: inside(l, "welcome", text.SetUpIn(l).KeyTitle), Key: "mnd_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM",
			Number: "+966500000000",
		})},
		{"page-account", page.AccountPage(account(l))},
		{"page-users", page.UsersPage(users(l))},
		{"page-user-delete", page.ConfirmPage(page.Confirm{
			ConsolePage: inside(l, shell.Users, text.UsersIn(l).DeleteAsk), Question: part.Question{
				Title: text.UsersIn(l).DeleteAsk, Text: "\u2068amal\u2069 · " + text.UsersIn(l).DeleteWhat, CSRF: "csrf",
				Action: "/console/users/u2/delete", Do: text.UsersIn(l).Delete, Danger: true, Back: "/console/users",
				Leave: text.UsersIn(l).Cancel,
			},
		})},
		{"page-organizations", page.OrganizationsPage(page.Organizations{
			ConsolePage: inside(l, "organizations", text.UsersIn(l).Orgs), List: list("/console/organizations", 2), All: []page.Organization{
				{ID: "default", Name: "Default", Created: noon(0), Shown: true}, {ID: "bakery", Name: "مخبز الحي", Created: noon(3)},
			},
		})},
		{"page-keys", page.KeysPage(keys(l))},
		{"page-keys-empty", page.KeysPage(page.Keys{ConsolePage: inside(l, shell.Keys, text.KeysIn(l).Title)})},
		{"page-audit", page.AuditPage(audit(l))},
		{"page-webhook", page.WebhookPage(webhook(l))},
		{"page-webhook-empty", page.WebhookPage(page.Webhook{ConsolePage: inside(l, shell.Webhook, text.WebhookIn(l).Title)})},
		{"page-delivery", page.DeliveryPage(page.OneDelivery{
			ConsolePage: inside(l, shell.Webhook, text.WebhookIn(l).One), Delivery: failed(),
		})},
		{"page-failure", page.FailurePage(page.Failure{
			ConsolePage: inside(l, "trouble", "404"), Status: 404, Request: "da9193c6-1364-45c3-a20e-2aea74d14f04",
		})},
	}
}

// outside is the frame before the sign-in, inside the one after it.
func outside(l text.Lang) shell.ConsolePage {
	p := Frame(l, "sign-in", text.SignInIn(l).Title)
	p.User, p.Org, p.CSRF, p.Section, p.Sections, p.Flash = "", "", "", "", nil, nil
	return p
}

func inside(l text.Lang, section shell.Section, title string) shell.ConsolePage {
	p := Frame(l, section, title)
	p.Sections = append(p.Sections, shell.Webhook, shell.Keys, shell.Users, shell.Audit)
	return p
}

// noon is a moment some hours before the noon of one day.
func noon(before int) time.Time {
	return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).Add(-time.Duration(before) * time.Hour)
}

func account(l text.Lang) page.Account {
	return page.Account{
		ConsolePage: inside(l, "account", text.UsersIn(l).Account), Role: "owner", Governs: true,
		Sessions: []page.Session{
			{ID: "a1", Agent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0", Address: "192.0.2.7", Began: noon(2), Seen: noon(0), This: true},
			{ID: "b2", Agent: "Mozilla/5.0 (iPhone) Safari/605", Address: "2001:db8::7", Began: noon(30), Seen: noon(5)},
		},
	}
}

func users(l text.Lang) page.Users {
	at := noon(1)
	return page.Users{
		ConsolePage: inside(l, shell.Users, text.UsersIn(l).Users), Governs: true, Role: "operator", Made: "abcde-fghjk-mnpqr-stuvw",
		List: list("/console/users", 3),
		Users: []page.User{
			{ID: "u1", Name: "admin", Role: "owner", Created: noon(90), LastSignIn: &at, You: true},
			{ID: "u2", Name: "أمل", Role: "operator", Created: noon(20), LastSignIn: &at},
			{ID: "u3", Name: "zaid@night", Role: "viewer", Created: noon(10), Disabled: true},
		},
	}
}

// list is what stands about a table of n lines.
func list(path string, n int) part.List {
	return part.List{Action: path, CSV: path + ".csv", Shown: n}
}

func keys(l text.Lang) page.Keys {
	used, revoked := noon(1), noon(3)
	return page.Keys{
		ConsolePage: inside(l, shell.Keys, text.KeysIn(l).Title), Scopes: []string{"stt", "calls"},
		List: list("/console/keys", 2), Made: "mnd_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM",
		Keys: []page.Key{
			{ID: "k1", Name: "نظام المواعيد", Prefix: "mnd_01234567", Scopes: []string{"stt", "calls"}, Created: noon(8), LastUsed: &used},
			{ID: "k2", Name: "<old> till", Prefix: "mnd_89abcdef", Scopes: []string{"calls:read", "people:erase"}, Created: noon(99), Revoked: &revoked},
		},
	}
}

func audit(l text.Lang) page.Audit {
	return page.Audit{
		ConsolePage: inside(l, shell.Audit, text.AuditIn(l).Title), Filter: "key", CSV: "/console/audit.csv?q=key",
		Next: "/console/audit?cursor=x&q=key", First: "/console/audit?q=key", Partly: true,
		Lines: []page.AuditLine{
			{At: noon(0), Who: "أمل", Action: "key.create", Subject: "mnd_01234567", Detail: "shop: stt,calls"},
			{At: noon(1), Who: "192.0.2.9", Action: "user.sign_in_refused", Subject: "admin"},
			{At: noon(2), Who: "key k1", Action: "suppression.put", Subject: "+9665•••••01"},
		},
	}
}

func webhook(l text.Lang) page.Webhook {
	test := failed()
	return page.Webhook{
		ConsolePage: inside(l, shell.Webhook, text.WebhookIn(l).Title), URL: "https://example.com/munadi", Enabled: true,
		Signing: true, Saved: true, Secrets: []page.Secret{{Since: noon(4)}}, Made: "whsec_MDEyMzQ1Njc4OWFiY2RlZg==", Test: &test,
		Deliveries: []page.Delivery{
			failed(),
			{ID: "dlv_2", Kind: "call", CallID: "call_2", State: "delivered", Created: noon(2), Tries: []page.Exchange{{Number: 1, At: noon(2), Status: 200}}},
			{ID: "dlv_3", Kind: "call", CallID: "call_3", State: "pending", Created: noon(0)},
		},
		Next: "/console/webhook?cursor=x#deliveries",
	}
}

// failed is a notification that nobody took.
func failed() page.Delivery {
	return page.Delivery{
		ID: "dlv_1", Kind: "test", CallID: "call_1", State: "failed", Created: noon(1),
		Tries: []page.Exchange{
			{
				Number: 1, At: noon(1), URL: "https://example.com/munadi", Status: 500, Error: "answered 500", Took: 1234 * time.Millisecond,
				Request: "{\n  \"event\": \"complete\"\n}", Response: "<h1>Oops</h1>",
			},
			{Number: 2, At: noon(1), URL: "https://example.com/munadi", Error: "no answer within 10 s", Took: 10 * time.Second, Request: "{}"},
		},
	}
}

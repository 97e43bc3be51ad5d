package storetest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/dump"
	"munadi/store/inbound"
	"munadi/store/replay"
	"munadi/store/restaurant"
	"munadi/store/scenario"
	"munadi/store/siptrunk"
)

// auditedChange is one change, the error code that it must return, and the entries that it must add to the audit trail
// of the organization "bakery", newest first.
type auditedChange struct {
	what string
	do   func() error
	code store.ErrorCode
	want []store.AuditEntry
}

// newEntry returns an entry of the tests' actor at [startTime].
func newEntry(action, subject, note string) []store.AuditEntry {
	return []store.AuditEntry{{At: startTime(), Actor: asked, Action: action, Subject: subject, Note: note}}
}

// auditedChanges returns changes by every method that takes an actor, in the order in which they are possible. by is
// the actor of those that are made next.
func auditedChanges(t *testing.T, s store.Store, by *string) (all []auditedChange) {
	for _, part := range [](func(*testing.T, store.Store, *string) []auditedChange){
		accessChanges, settingChanges, bookingChanges, campaignChanges, deliveryChanges, destinationChanges, liveChanges,
	} {
		all = append(all, part(t, s, by)...)
	}
	for _, method := range methodsWithActor(t) {
		if !slices.ContainsFunc(all, func(c auditedChange) bool { return c.want != nil && strings.HasPrefix(c.what, method) }) {
			t.Errorf("no test makes a change by %s, which takes an actor", method)
		}
	}
	return all
}

// auditedWithChange: each change adds exactly its own entry, a refused or repeated one adds none, and the trail of
// another organization does not change.
func auditedWithChange(t *testing.T, s store.Store) {
	addOrganizations(t, s, "airline")
	before, by := 0, asked
	for _, c := range auditedChanges(t, s, &by) {
		wantCode(t, c.what, c.do(), c.code)
		trail := findTrail(t, s, "bakery")
		if diff := cmp.Diff(c.want, trail[:len(trail)-before]); diff != "" && len(c.want)+len(trail)-before > 0 {
			t.Errorf("%s: audit entries (-want +got):\n%s", c.what, diff)
		}
		before = len(trail)
	}
	if trail := findTrail(t, s, "airline"); len(trail) != 1 || trail[0].Action != "organization.create" {
		t.Errorf("the trail of another organization is %+v", trail)
	}
}

// unauditedUnmade: a change whose audit entry is refused, since it names no actor, leaves every record as it was.
func unauditedUnmade(t *testing.T, s store.Store) {
	addOrganizations(t, s, "airline")
	by := asked
	for _, c := range auditedChanges(t, s, &by) {
		if c.want != nil {
			before := readRecords(t, s)
			by = ""
			wantCode(t, c.what+" without an actor", c.do(), store.CodeInvalid)
			by = asked
			if diff := cmp.Diff(before, readRecords(t, s)); diff != "" {
				t.Errorf("%s without an audit entry left (-before +after):\n%s", c.what, diff)
			}
		}
		wantCode(t, c.what, c.do(), c.code)
	}
}

// readRecords returns all records of a store, by key.
func readRecords(t *testing.T, s store.Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	var file bytes.Buffer
	wantCode(t, "WriteBackup", s.WriteBackup(t.Context(), &file), "")
	_, err := dump.ReadDump(&file, func(key, value []byte) error {
		all[string(key)] = string(value)
		return nil
	})
	wantCode(t, "ReadDump", err, "")
	return all
}

// methodsWithActor returns the names of the store's methods that take an actor, from its source.
func methodsWithActor(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("../*.go") // of package store: the tests run in the folder of a database
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			field, _ := n.(*ast.Field)
			if field == nil || len(field.Names) == 0 {
				return true
			}
			method, _ := field.Type.(*ast.FuncType)
			if method != nil && slices.ContainsFunc(method.Params.List, func(p *ast.Field) bool {
				return slices.ContainsFunc(p.Names, func(id *ast.Ident) bool { return id.Name == "actor" })
			}) {
				names = append(names, field.Names[0].Name)
			}
			return true
		})
	}
	if len(names) < 20 {
		t.Fatalf("%v of package store take an actor, want more than 20 methods", names)
	}
	return names
}

// findTrail reads an organization's whole audit trail.
func findTrail(t *testing.T, s store.Store, orgID string) (all []store.AuditEntry) {
	t.Helper()
	for cursor, more := "", true; more; more = cursor != "" {
		page, err := s.AuditTrail(t.Context(), orgID, 100, cursor)
		wantCode(t, "AuditTrail", err, "")
		all, cursor = append(all, page.Items...), page.Next
	}
	return all
}

// accessChanges returns the changes of organizations, keys and users.
func accessChanges(t *testing.T, s store.Store, by *string) []auditedChange {
	ctx, now, key := t.Context(), startTime(), newKey("bakery", "one", 1)
	create := func() error {
		return s.CreateOrganization(ctx, account.Organization{ID: "bakery", CreatedAt: now}, *by)
	}
	revoke := func() error { _, err := s.RevokeKey(ctx, "bakery", "one", *by, now); return err }
	change := func(what string, change func(*account.User) error) func() error {
		return func() error { _, err := s.ChangeUser(ctx, "u1", what, *by, now, change); return err }
	}
	refused := store.Errorf(store.CodeInvalid, "refused")
	return []auditedChange{
		{"CreateOrganization", create, "", newEntry("organization.create", "bakery", "")},
		{"CreateOrganization again", create, store.CodeConflict, nil},
		{
			"RequireSecondFactor",
			func() error { return s.RequireSecondFactor(ctx, "bakery", *by, now, true) },
			"",
			newEntry("organization.second_factor", "bakery", "required"),
		},
		{
			"RequireSecondFactor of nobody",
			func() error { return s.RequireSecondFactor(ctx, "nobody", *by, now, true) },
			store.CodeNotFound,
			nil,
		},
		{
			"CreateKey",
			func() error { return s.CreateKey(ctx, key, *by) },
			"",
			newEntry("key.create", "mnd_one", "key one: stt,calls"),
		},
		{"CreateKey again", func() error { return s.CreateKey(ctx, key, *by) }, store.CodeConflict, nil},
		{"RevokeKey of another", func() error {
			_, err := s.RevokeKey(ctx, "airline", "one", *by, now)
			return err
		}, store.CodeNotFound, nil},
		{"RevokeKey", revoke, "", newEntry("key.revoke", "mnd_one", "key one")},
		{"RevokeKey again", revoke, "", nil},
		{"CreateUser", func() error {
			return s.CreateUser(ctx, newUser("bakery", "u1", "amal", account.Viewer), *by)
		}, "", newEntry("user.create", "amal", "viewer")},
		{
			"ChangeUser",
			change("user.role", func(u *account.User) error { u.Role = account.Operator; return nil }),
			"",
			newEntry("user.role", "amal", ""),
		},
		{"ChangeUser refused", change("user.role", func(*account.User) error { return refused }), store.CodeInvalid, nil},
		{"DeleteUser", func() error { return s.DeleteUser(ctx, "u1", *by, now) }, "", newEntry("user.delete", "amal", "")},
	}
}

// settingChanges returns the changes of rules, suppressions, scenarios, phrases and the webhook.
func settingChanges(t *testing.T, s store.Store, by *string) []auditedChange {
	ctx, now := t.Context(), startTime()
	rules := func(stopped bool, err error) func() error {
		return func() error {
			return s.ChangeRules(ctx, "bakery", *by, now, func(r *callrules.CallRules) error {
				r.KillSwitch = stopped
				return err
			})
		}
	}
	suppress := func(numbers ...string) func() error {
		var entries []callrules.SuppressionEntry
		for _, n := range numbers {
			entries = append(entries, callrules.SuppressionEntry{OrgID: "bakery", PhoneNumber: n, CreatedAt: now})
		}
		return func() error { return s.AddSuppressions(ctx, entries, *by, now) }
	}
	var many []string
	for i := range 501 {
		many = append(many, fmt.Sprintf("+9665100%05d", i))
	}
	release := func() error { return s.RemoveSuppression(ctx, "bakery", number, *by, now) }
	sc := scenario.Scenario{ID: "visit", OrgID: "bakery"}
	draft := scenario.Scenario{ID: "visit", OrgID: "bakery", Status: scenario.DraftStatus}
	phrases := func(p restaurant.PhraseSet) func() error {
		return func() error { return ReplacePhrases(ctx, s, "bakery", p, *by, now) }
	}
	hook := func(on bool) func() error {
		w := delivery.WebhookSetting{URL: "https://example.com/x", Enabled: on}
		return func() error { return ReplaceWebhook(ctx, s, "bakery", w, *by, now) }
	}
	alerts := func(entries []store.AuditEntry, refused error) func() error {
		return func() error {
			_, err := s.ChangeAlerts(ctx, "bakery", func(*alert.AlertBoard) (effects store.AlertEffects, _ error) {
				for _, entry := range entries {
					entry.Actor = *by
					effects.Audit = &entry
				}
				return effects, refused
			})
			return err
		}
	}
	stopped := store.Errorf(store.CodeInvalid, "refused")
	routes := func(numbers ...string) func() error {
		return func() error {
			var all []inbound.Route
			for _, number := range numbers {
				all = append(all, inbound.Route{Number: number, ScenarioID: "visit"})
			}
			_, err := SetRoutes(ctx, s, "bakery", *by, now, all...)
			return err
		}
	}
	mailServer := func(after alert.MailSetting) func() error {
		return func() error {
			return s.ChangeMailSetting(ctx, "bakery", *by, now, func(kept *alert.MailSetting) error {
				*kept = after
				return nil
			})
		}
	}
	remove := func() error { return s.DeleteScenario(ctx, "bakery", "visit", *by, now) }
	replayed := func(again bool) func() error {
		return func() error {
			_, err := s.ChangeReplays(ctx, "bakery", func(b *replay.Board) (store.AuditEntry, error) {
				if again {
					return store.AuditEntry{}, nil
				}
				b.AddReplay(replay.Replay{ID: "one"})
				return store.AuditEntry{At: now, Actor: *by, Action: "replay.create", Subject: "one"}, nil
			})
			return err
		}
	}
	unreplay := func() error { return s.DeleteReplay(ctx, "bakery", "one", *by, now) }
	masked := call.MaskNumber(number)
	return []auditedChange{
		{"ChangeRules", rules(true, nil), "", newEntry("rules.put", "rules", "kill switch on")},
		{"ChangeRules refused", rules(false, stopped), store.CodeInvalid, nil},
		{"ChangeRules back", rules(false, nil), "", newEntry("rules.put", "rules", "kill switch off")},
		{"ChangeRules as before", rules(false, nil), "", newEntry("rules.put", "rules", "")},
		{"ChangeMailSetting", mailServer(newMailSetting()), "", newEntry("mail.put", "mail server", "mail.example.com")},
		{"ChangeMailSetting to none", mailServer(alert.MailSetting{}), "", newEntry("mail.put", "mail server", "")},
		{"ChangeTrunks", func() error {
			return s.ChangeTrunks(ctx, "bakery", *by, now, func(kept *siptrunk.Setting) error { kept.Trunks = newTrunks(); return nil })
		}, "", newEntry("trunks.put", "SIP trunks", "stc pbx")},
		{"ChangeInbound", routes("+966112000000", "+97*"), "", newEntry("inbound.put", "inbound", "2 routes")},
		{"ChangeInbound to none", routes(), "", newEntry("inbound.put", "inbound", "0 routes")},
		{"AddSuppressions", suppress(number), "", newEntry("suppression.put", masked, "")},
		{"AddSuppressions of two", suppress(number, "+966500000002"), "", newEntry("suppression.put", "2 numbers", "")},
		{
			"AddSuppressions in two transactions", suppress(many...), "",
			append(newEntry("suppression.put", call.MaskNumber(many[500]), ""), newEntry("suppression.put", "500 numbers", "")...),
		},
		{"ChangeReplays", replayed(false), "", newEntry("replay.create", "one", "")},
		{"ChangeReplays unaudited", replayed(true), "", nil},
		{"DeleteReplay", unreplay, "", newEntry("replay.delete", "one", "")},
		{"DeleteReplay again", unreplay, store.CodeNotFound, nil},
		{"RemoveSuppression", release, "", newEntry("suppression.delete", masked, "")},
		{"RemoveSuppression again", release, store.CodeNotFound, nil},
		{"CreateScenario", func() error { return s.CreateScenario(ctx, sc, *by, now) }, "", newEntry("scenario.create", "visit", "version 1")},
		{"CreateScenario again", func() error { return s.CreateScenario(ctx, sc, *by, now) }, store.CodeConflict, nil},
		{"PutScenario", func() error { return s.PutScenario(ctx, sc, *by, now) }, "", newEntry("scenario.put", "visit", "version 2")},
		{"ReplaceScenario", func() error { return s.ReplaceScenario(ctx, sc, 2, *by, now) }, "", newEntry("scenario.put", "visit", "version 3")},
		{"ReplaceScenario again", func() error { return s.ReplaceScenario(ctx, sc, 2, *by, now) }, store.CodeConflict, nil},
		{"PutScenario of a draft", func() error { return s.PutScenario(ctx, draft, *by, now) }, "", newEntry("scenario.draft", "visit", "version 4")},
		{"PutScenario over a draft", func() error { return s.PutScenario(ctx, sc, *by, now) }, "", newEntry("scenario.publish", "visit", "version 5")},
		{"DeleteScenario", remove, "", newEntry("scenario.delete", "visit", "")},
		{"DeleteScenario again", remove, store.CodeNotFound, nil},
		{"ChangePhrases", phrases(restaurant.PhraseSet{Bias: []string{"برجر"}}), "", newEntry("phrases.put", "bakery", "")},
		{"ChangePhrases to dismiss", phrases(restaurant.PhraseSet{Bias: []string{"برجر"}, Dismissed: []string{"0a1b"}}), "", newEntry("phrases.dismissed", "bakery", "")},
		{"ChangePhrases with a dismissal", phrases(restaurant.PhraseSet{Dismissed: []string{"0a1b"}}), "", newEntry("phrases.reset", "bakery", "")},
		{"ChangePhrases to none", phrases(restaurant.PhraseSet{}), "", newEntry("phrases.reset", "bakery", "")},
		{"ChangeAlerts", alerts(newEntry("alert.acknowledge", "alert_x", ""), nil), "", newEntry("alert.acknowledge", "alert_x", "")},
		{"ChangeAlerts by a worker", alerts(nil, nil), "", nil},
		{"ChangeAlerts refused", alerts(newEntry("alert.acknowledge", "alert_x", ""), stopped), store.CodeInvalid, nil},
		{"ChangeWebhook off", hook(false), "", newEntry("webhook.put", "webhook", "off")},
		{"ChangeWebhook on", hook(true), "", newEntry("webhook.put", "webhook", "on")},
	}
}

// auditPages: an event without a change is only in the trail of its organization; pages are newest first.
func auditPages(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	line := store.AuditEntry{At: startTime(), Actor: asked, Action: "backup.make", Subject: "nightly", Note: "by hand"}
	var wanted []store.AuditEntry
	for i := range 7 {
		line.Subject = string(rune('a' + i))
		wantCode(t, "AddAudit", s.AddAudit(t.Context(), "bakery", line), "")
		wanted = append([]store.AuditEntry{line}, wanted...)
	}
	wantCode(t, "AddAudit of nobody", s.AddAudit(t.Context(), "nobody", line), store.CodeNotFound)
	var got []store.AuditEntry
	for cursor, more := "", true; more; more = cursor != "" {
		page, err := s.AuditTrail(t.Context(), "bakery", 3, cursor)
		wantCode(t, "AuditTrail", err, "")
		got, cursor = append(got, page.Items...), page.Next
	}
	wanted = append(wanted, newEntry("organization.create", "bakery", "")...)
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("the trail (-want +got):\n%s", diff)
	}
	if trail := findTrail(t, s, "airline"); len(trail) != 1 {
		t.Errorf("another organization sees %+v", trail)
	}
}

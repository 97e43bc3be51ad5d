package service_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"

	"munadi/appliance/api"
	"munadi/appliance/auth"
	"munadi/appliance/console"
	"munadi/appliance/console/kit"
	"munadi/appliance/contactfile"
	"munadi/appliance/evidence"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/signedurl"
	"munadi/appliance/monitor/health"
	"munadi/appliance/service"
	"munadi/assets/scenarios"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/campaign"
	"munadi/store/delivery"
	"munadi/store/memory"
	"munadi/store/scenario"
	"munadi/store/storetest"
)

// The organizations of the two doors, with equal contents at the beginning.
const (
	ofAPI     = "apis"
	ofConsole = "pages"
)

// twoDoors is one appliance with both doors.
type twoDoors struct {
	*testing.T
	echo  *echo.Echo
	store *memory.Store
	now   time.Time
	ids   map[string]*strings.Replacer // by organization: "{call}" and its like become ids
}

// onlyKey is the API key of [ofAPI].
type onlyKey struct{}

func (onlyKey) VerifyHeader(context.Context, string) (auth.Principal, error) {
	return auth.Principal{OrgID: ofAPI, KeyID: "someone", Scopes: account.AllScopes()}, nil
}

// onlyUser is the session of an owner of [ofConsole].
type onlyUser struct{}

func (onlyUser) LookUpSession(context.Context, string) (account.UserSession, account.User, error) {
	hash, err := hashPassword()
	u := account.User{ID: "someone", OrgID: ofConsole, Name: "someone", Role: account.Owner, Password: hash}
	return account.UserSession{UserID: u.ID, Hash: []byte("x")}, u, err
}

// password is that of the user.
const password = "a long enough one"

// hashPassword hashes it once for all tests, since that is slow by design.
var hashPassword = sync.OnceValues(func() (string, error) {
	s := memory.OpenStore()
	defer func() { _ = s.Close() }()
	ctx := context.Background()
	if err := s.CreateOrganization(ctx, account.Organization{ID: ofConsole, Name: "x"}, "test"); err != nil {
		return "", err
	}
	u, err := newAccounts(s, time.Now).CreateUser(ctx, ofConsole, "someone", account.Owner, password, "test")
	return u.Password, err
})

func newAccounts(s store.Store, now func() time.Time) *auth.AccountService {
	return auth.NewAccounts(s, auth.InstallationSecret{1}, now, slog.New(slog.DiscardHandler))
}

func (g onlyUser) PeekSession(ctx context.Context, token string) (account.UserSession, account.User, error) {
	return g.LookUpSession(ctx, token)
}

func (onlyUser) CSRFToken(account.UserSession) string { return "csrf" }

func openDoors(t *testing.T) *twoDoors {
	t.Helper()
	s := memory.OpenStore()
	d := &twoDoors{
		T: t, echo: echo.New(), store: s, now: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC),
		ids: map[string]*strings.Replacer{},
	}
	t.Cleanup(func() { _ = s.Close() })
	builtIn, err := scenario.BuiltIn(scenarios.ScenarioFiles())
	d.mustBoth(err)
	clock := func() time.Time { return d.now }
	files, err := blob.OpenFolder(t.TempDir())
	d.mustBoth(err)
	t.Cleanup(func() { _ = files.Close() })
	cases := &service.UseCases{
		Store: s, Recordings: files, Now: clock,
		BuiltIn:  func() []scenario.Scenario { return builtIn },
		CheckURL: func(context.Context, string) error { return nil },
	}
	signer, err := signedurl.NewSigner([32]byte{1})
	d.mustBoth(err)
	var ready health.HealthState
	ready.SetReady()
	links := &signedurl.SignedLinks{Signer: signer, PublicURL: func() string { return "http://munadi.test" }, Now: clock}
	api.NewService(api.Dependencies{
		Store: s, UseCases: cases, Auth: onlyKey{}, Now: clock, Links: links, Health: &ready,
	}).MountRoutes(d.echo)
	pages := console.NewService(console.Dependencies{Shared: kit.Shared{
		Signer: evidence.NewSigningKey([32]byte{1}),
		Store:  s, UseCases: cases, Gate: onlyUser{}, Now: clock, Log: slog.New(slog.DiscardHandler), Simulated: true,
		Accounts: newAccounts(s, clock),
	}})
	pages.MountRoutes(d.echo)
	d.echo.HTTPErrorHandler = middleware.ErrorHandler(
		middleware.ErrorFace{Root: api.Root, Explain: api.ExplainError},
		middleware.ErrorFace{Root: kit.Root, Explain: pages.ExplainError, Type: echo.MIMETextHTMLCharsetUTF8})
	d.addRecords(ofAPI)
	d.addRecords(ofConsole)
	return d
}

func (d *twoDoors) mustBoth(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// addRecords adds one record of each kind to an organization.
func (d *twoDoors) addRecords(orgID string) {
	d.Helper()
	ctx, at := d.Context(), d.now.Add(-time.Hour)
	d.mustBoth(d.store.CreateOrganization(ctx, account.Organization{ID: orgID, Name: "Shop", CreatedAt: at}, "test"))
	book := func(number string, due time.Time) call.Call {
		c := call.Call{
			ID: call.NewID(), OrgID: orgID, Status: call.Scheduled, PhoneNumber: number, ScenarioID: "restaurant_order",
			Booking: call.Immediate, CreatedAt: at, ScheduledAt: due, Attempt: call.AttemptChain{Number: 1, Max: 1},
		}
		c.Attempt.ChainID = c.ID
		_, err := d.store.BookCall(ctx, c, "test", nil)
		d.mustBoth(err)
		return c
	}
	destination, event := d.furnishDestination(orgID, at, book("+966500000005", d.now.Add(time.Hour)))
	waiting, running := book("+966500000001", d.now.Add(time.Hour)), book("+966500000002", at)
	over := book("+966500000003", at)
	for _, c := range []call.Call{running, over} {
		_, err := d.store.ReleaseCall(ctx, orgID, c.ID, at)
		d.mustBoth(err)
	}
	_, err := d.store.FinishCall(ctx, orgID, over.ID, call.CallOutcome{Status: call.NoAnswer}, nil, at)
	d.mustBoth(err)
	d.mustBoth(storetest.ReplaceWebhook(ctx, d.store, orgID, delivery.WebhookSetting{URL: "http://shop.test/hook"}, "test", at))
	sent := delivery.NewDelivery(orgID, delivery.Test, call.NewID(), at)
	d.mustBoth(d.store.AddDelivery(ctx, sent, "test"))
	_, err = d.store.RecordTry(ctx, orgID, sent.ID, delivery.DeliveryTry{At: at, StatusCode: http.StatusOK}, at)
	d.mustBoth(err)
	d.mustBoth(d.store.AddSuppressions(ctx, []callrules.SuppressionEntry{
		{OrgID: orgID, PhoneNumber: "+966500000009", CreatedAt: at},
	}, "test", at))
	d.mustBoth(d.store.PutScenario(ctx, scenarioNamed(d.T, orgID, "mine", "Mine"), "test", at))
	d.ids[orgID] = strings.NewReplacer("{waiting}", waiting.ID, "{running}", running.ID, "{over}", over.ID,
		"{delivery}", sent.ID, "{destination}", destination, "{event}", event, "{campaign}", d.furnishCampaign(orgID, at))
}

// furnishDestination adds a destination, to which the event of a call that is cancelled was delivered, and returns the
// ids of both.
func (d *twoDoors) furnishDestination(orgID string, at time.Time, c call.Call) (destination, event string) {
	d.Helper()
	ctx := d.Context()
	to := delivery.NewDestination("https://shop.test/events", []delivery.EventType{delivery.CallCancelled}, true, at)
	d.mustBoth(d.store.ChangeDestinations(ctx, orgID, func(b *delivery.DestinationBoard) (store.AuditEntry, error) {
		b.Destinations = append(b.Destinations, to)
		return store.AuditEntry{}, nil
	}))
	_, err := d.store.CancelCall(ctx, orgID, c.ID, "test", at)
	d.mustBoth(err)
	page, err := d.store.ListEvents(ctx, orgID, to.ID, "", 1, "")
	d.mustBoth(err)
	event = page.Items[0].ID
	_, err = d.store.RecordEventTry(ctx, orgID, to.ID, event, delivery.DeliveryTry{At: at, StatusCode: http.StatusOK}, at)
	d.mustBoth(err)
	return to.ID, event
}

// furnishCampaign adds a running campaign with one call and returns its id.
func (d *twoDoors) furnishCampaign(orgID string, at time.Time) string {
	d.Helper()
	c := campaign.Campaign{
		ID: campaign.NewID(), OrgID: orgID, Name: "Visits", ScenarioID: "mine", Status: campaign.Running, CreatedAt: at,
	}
	one := call.Call{
		ID: call.NewID(), OrgID: orgID, CampaignID: c.ID, Status: call.Scheduled, PhoneNumber: "+966500000004",
		ScenarioID: "mine", Booking: call.Immediate, CreatedAt: at, ScheduledAt: d.now.Add(time.Hour),
		Attempt: call.AttemptChain{Number: 1, Max: 1},
	}
	one.Attempt.ChainID = one.ID
	_, err := d.store.CreateCampaign(d.Context(), c, []call.Call{one}, "test", nil)
	d.mustBoth(err)
	return c.ID
}

// scenarioNamed returns a scenario with one line.
func scenarioNamed(t *testing.T, orgID, id, name string) scenario.Scenario {
	t.Helper()
	s, faults, err := scenario.DecodeScenario(t.Context(), []byte(scenarioText(id, name)))
	if err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	s.OrgID = orgID
	return s
}

func scenarioText(id, name string) string {
	return fmt.Sprintf(`{"id":%q,"name":%q,"language":"ar","steps":[{"id":"a","type":"say","say":["مرحبا"]}]}`, id, name)
}

// askAPI sends a request to the API and returns its status.
func (d *twoDoors) askAPI(method, path, body string) int {
	ids := d.ids[ofAPI]
	r := httptest.NewRequest(method, api.Root+ids.Replace(path), strings.NewReader(ids.Replace(body)))
	w := httptest.NewRecorder()
	d.echo.ServeHTTP(w, r)
	return w.Code
}

// sendForm posts a form to the console and returns its status.
func (d *twoDoors) sendForm(path string, pairs ...string) int {
	ids, form := d.ids[ofConsole], url.Values{"csrf": {"csrf"}}
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], ids.Replace(pairs[i+1]))
	}
	r := httptest.NewRequest(http.MethodPost, kit.Root+ids.Replace(path), strings.NewReader(form.Encode()))
	r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationForm)
	r.AddCookie(&http.Cookie{Name: "munadi_session", Value: "x"})
	w := httptest.NewRecorder()
	d.echo.ServeHTTP(w, r)
	return w.Code
}

var (
	// madeID matches random parts: ids and signing secrets.
	madeID = regexp.MustCompile(`(call_|camp_|dlv_|del_|whd_|dest_|evt_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|whsec_[\w+/=]+`)
	// doorNames matches what differs by door: its organization, its actor, the source of a suppression.
	doorNames = strings.NewReplacer(ofAPI, "ORG", ofConsole, "ORG", "key:someone", "ACTOR", "user:someone", "ACTOR",
		`"source":"api"`, `"source":"DOOR"`, `"source":"console"`, `"source":"DOOR"`)
)

// storedLines returns all records of an organization as JSON lines that can be compared between both.
func (d *twoDoors) storedLines(orgID string) []string {
	d.Helper()
	ctx := d.Context()
	var lines []string
	add := func(kind string, record any, err error) {
		d.mustBoth(err)
		text, err := json.Marshal(record)
		d.mustBoth(err)
		names := map[string]string{}
		plain := madeID.ReplaceAllStringFunc(doorNames.Replace(string(text)), func(id string) string {
			if names[id] == "" {
				names[id] = fmt.Sprint("ID", len(names)+1)
			}
			return names[id]
		})
		lines = append(lines, kind+" "+plain)
	}
	calls, err := d.store.CallsPage(ctx, orgID, store.CallFilter{Limit: 200})
	d.mustBoth(err)
	for _, c := range calls.Items {
		whole, err := d.store.FindCall(ctx, orgID, c.ID)
		add("call", whole, err)
		events, err := d.store.CallTimeline(ctx, orgID, c.ID)
		add("timeline of "+c.PhoneNumber, events, err)
	}
	campaigns, err := d.store.CampaignsPage(ctx, orgID, 200, "")
	add("campaigns", campaigns.Items, err)
	flows, err := d.store.ListScenarios(ctx, orgID)
	add("scenarios", flows, err)
	routes, err := d.store.FindInbound(ctx, orgID)
	add("inbound", routes, err)
	rules, err := d.store.FindRules(ctx, orgID)
	add("rules", rules, err)
	numbers, err := d.store.ListSuppressions(ctx, orgID, 200, "")
	add("suppressions", numbers.Items, err)
	hook, err := d.store.FindWebhook(ctx, orgID)
	add("webhook", hook, err)
	deliveries, err := d.store.ListDeliveries(ctx, orgID, "", 200, "")
	add("deliveries", deliveries.Items, err)
	board, err := d.store.FindDestinations(ctx, orgID)
	add("destinations", board, err)
	for _, to := range board.Destinations {
		events, err := d.store.ListEvents(ctx, orgID, to.ID, "", 200, "")
		add("events", events.Items, err)
	}
	trail, err := d.store.AuditTrail(ctx, orgID, 200, "")
	for _, entry := range trail.Items {
		add("audit", entry, err)
	}
	slices.Sort(lines)
	return lines
}

// TestDoorsAgree runs each use case through both doors of one appliance: afterwards the store holds the same records,
// including audit entries, except for ids and the actor's kind.
func TestDoorsAgree(t *testing.T) {
	t.Parallel()
	const number, uuid = "+966500000077", "00000000-0000-4000-8000-000000000001"
	long := strings.Repeat("x", 2001)
	for what, c := range map[string]struct {
		api    func(d *twoDoors) int
		page   func(d *twoDoors) int
		action string // of the newest audit entry; empty: nothing changes
	}{
		"book": {func(d *twoDoors) int {
			return d.askAPI("POST", "/calls", `{"phone_number":"`+number+`","scenario_id":"restaurant_order"}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/calls", "once", uuid, "phone_number", "00966 50 000 0077", "scenario_id", "restaurant_order",
				"confirm", "missing_value.total")
		}, "call.create"},
		"book with all": {func(d *twoDoors) int {
			return d.askAPI("POST", "/calls", `{"phone_number":"`+number+`","scenario_id":"appointment_confirmation",
				"scheduled_at":"2026-11-22T10:00:00Z","retry":{"max_attempts":3,"delay_minutes":[5,10]},"variables":{"name":"سارة"}}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/calls", "once", uuid, "phone_number", number, "scenario_id", "appointment_confirmation",
				"when", "at", "at", "2026-11-22T10:00", "max_attempts", "3", "delay_minutes", "5, 10", "var.name", "سارة",
				"confirm", "missing_value.date missing_value.time missing_value.doctor")
		}, "call.create"},
		"create a campaign": {func(d *twoDoors) int {
			return d.askAPI("POST", "/campaigns", campaignText(number, "7"))
		}, func(d *twoDoors) int { return d.sendContacts(number, "7") }, "campaign.create"},
		"create a campaign with too long metadata": {func(d *twoDoors) int {
			return d.askAPI("POST", "/campaigns", campaignText(number, long))
		}, func(d *twoDoors) int { return d.sendContacts(number, long) }, ""},
		"book an unknown scenario": {func(d *twoDoors) int {
			return d.askAPI("POST", "/calls", `{"phone_number":"`+number+`","scenario_id":"none"}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/calls", "once", uuid, "phone_number", number, "scenario_id", "none")
		}, ""},
		"follow up callers": {func(d *twoDoors) int {
			return d.askAPI("PUT", "/inbound", `{"routes":[],"callback_days":3,"closed":"مغلق"}`)
		}, func(d *twoDoors) int { return d.sendForm("/inbound", "callback_days", "3", "closed", " مغلق ") }, "inbound.put"},
		"follow up callers for too long": {func(d *twoDoors) int {
			return d.askAPI("PUT", "/inbound", `{"routes":[],"callback_days":91}`)
		}, func(d *twoDoors) int { return d.sendForm("/inbound", "callback_days", "91") }, ""},
		"reschedule": {func(d *twoDoors) int {
			return d.askAPI("POST", "/calls/{waiting}/reschedule", `{"scheduled_at":"2026-11-22T10:00:00Z"}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/calls/{waiting}/reschedule", "at", "2026-11-22T10:00")
		}, "call.reschedule"},
		"reschedule too soon": {func(d *twoDoors) int {
			return d.askAPI("POST", "/calls/{waiting}/reschedule", `{"scheduled_at":"2026-11-21T09:31:00Z"}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/calls/{waiting}/reschedule", "at", "2026-11-21T09:31")
		}, ""},
		"cancel": {
			func(d *twoDoors) int { return d.askAPI("POST", "/calls/{waiting}/cancel", "") },
			func(d *twoDoors) int { return d.sendForm("/calls/cancel", "id", "{waiting}") }, "call.cancel",
		},
		"cancel an ended call": {
			func(d *twoDoors) int { return d.askAPI("POST", "/calls/{over}/cancel", "") },
			func(d *twoDoors) int { return d.sendForm("/calls/cancel", "id", "{over}") }, "",
		},
		"hang up": {
			func(d *twoDoors) int { return d.askAPI("POST", "/calls/{running}/hangup", "") },
			func(d *twoDoors) int { return d.sendForm("/calls/{running}/hangup") }, "call.hangup",
		},
		"call back without an extension": {
			func(d *twoDoors) int { return d.askAPI("POST", "/calls/{over}/call_back", "{}") },
			func(d *twoDoors) int { return d.sendForm("/calls/{over}/call_back") }, "",
		},
		"test of a call that was not answered": {
			func(d *twoDoors) int { return d.askAPI("POST", "/calls/{over}/test", "{}") },
			func(d *twoDoors) int { return d.sendForm("/calls/{over}/test") }, "",
		},
		"erase a person": {
			func(d *twoDoors) int { return d.askAPI("DELETE", "/people/+966500000003", "") },
			func(d *twoDoors) int { return d.sendForm("/calls/{over}/erase", "current", password) }, "person.erase",
		},
		"suppress": {func(d *twoDoors) int {
			return d.askAPI("POST", "/suppressions", `{"phone_number":"`+number+`","reason":"asked"}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/rules/suppressions", "number", number, "reason", "asked")
		}, "suppression.put"},
		"suppress with a long reason": {func(d *twoDoors) int {
			return d.askAPI("POST", "/suppressions", `{"phone_number":"`+number+`","reason":"`+strings.Repeat("x", 501)+`"}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/rules/suppressions", "number", number, "reason", strings.Repeat("x", 501))
		}, ""},
		"unsuppress": {
			func(d *twoDoors) int { return d.askAPI("DELETE", "/suppressions/+966500000009", "") },
			func(d *twoDoors) int { return d.sendForm("/rules/suppressions/remove", "number", "+966500000009") },
			"suppression.delete",
		},
		"set the webhook": {func(d *twoDoors) int {
			return d.askAPI("PUT", "/webhook", `{"url":"https://shop.test/new","enabled":true,"signing":true}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/webhook", "url", "https://shop.test/new", "enabled", "on", "signing", "on")
		}, "webhook.put"},
		"test the webhook": {
			func(d *twoDoors) int { return d.askAPI("POST", "/webhook/test", "") },
			func(d *twoDoors) int { return d.sendForm("/webhook/test") }, "webhook.test",
		},
		"redeliver": {
			func(d *twoDoors) int { return d.askAPI("POST", "/webhook/deliveries/{delivery}/redeliver", "") },
			func(d *twoDoors) int { return d.sendForm("/webhook/deliveries/{delivery}/redeliver") }, "delivery.redeliver",
		},
		"add a destination": {func(d *twoDoors) int {
			return d.askAPI("POST", "/destinations", `{"url":"https://shop.test/more","events":["job.finished"]}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/destinations", "url", "https://shop.test/more", "events", "job.finished", "enabled", "1")
		}, "destination.create"},
		"change a destination": {func(d *twoDoors) int {
			return d.askAPI("PATCH", "/destinations/{destination}", `{"url":"https://shop.test/x","events":["call.booked"],"enabled":false}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/destinations/{destination}", "url", "https://shop.test/x", "events", "call.booked")
		}, "destination.change"},
		"change a destination to no events": {func(d *twoDoors) int {
			return d.askAPI("PATCH", "/destinations/{destination}", `{"events":[]}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/destinations/{destination}", "url", "https://shop.test/events", "enabled", "1")
		}, ""},
		"delete a destination": {
			func(d *twoDoors) int { return d.askAPI("DELETE", "/destinations/{destination}", "") },
			func(d *twoDoors) int { return d.sendForm("/destinations/{destination}/delete") }, "destination.delete",
		},
		"rotate a destination's secret": {
			func(d *twoDoors) int {
				return d.askAPI("PATCH", "/destinations/{destination}", `{"rotate_secret":true}`)
			},
			func(d *twoDoors) int { return d.sendForm("/destinations/{destination}/rotate") }, "destination.rotate",
		},
		"replay events": {func(d *twoDoors) int {
			return d.askAPI("POST", "/destinations/{destination}/replay", `{"from":"2026-01-01T00:00:00Z"}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/destinations/{destination}/replay", "from", "2026-01-01T00:00:00Z")
		}, "destination.replay"},
		"replay events of the future": {func(d *twoDoors) int {
			return d.askAPI("POST", "/destinations/{destination}/replay", `{"from":"2999-01-01T00:00:00Z"}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/destinations/{destination}/replay", "from", "2999-01-01T00:00:00Z")
		}, ""},
		"redeliver an event": {
			func(d *twoDoors) int {
				return d.askAPI("POST", "/destinations/{destination}/deliveries/{event}/redeliver", "")
			},
			func(d *twoDoors) int { return d.sendForm("/destinations/{destination}/deliveries/{event}/redeliver") },
			"delivery.redeliver",
		},
		"replace the rules": {func(d *twoDoors) int {
			return d.askAPI("PUT", "/organization", `{"time_zone":"Asia/Riyadh","attempts_per_day":3,"recording":"on"}`)
		}, func(d *twoDoors) int {
			return d.sendForm("/rules", "hours", "any", "time_zone", "Asia/Riyadh", "attempts_per_day", "3", "recording", "on")
		}, "rules.put"},
		"stop calling": {
			func(d *twoDoors) int { return d.askAPI("PATCH", "/organization", `{"kill_switch":true}`) },
			func(d *twoDoors) int { return d.sendForm("/rules/stop") }, "rules.put",
		},
		"create a scenario": {func(d *twoDoors) int {
			return d.askAPI("POST", "/scenarios", strings.Replace(scenarioText("copy", "Copy"), "{", `{"status":"draft",`, 1))
		}, func(d *twoDoors) int {
			return d.sendForm("/scenarios", "from", "mine", "id", "copy", "name", "Copy")
		}, "scenario.draft"},
		"put a scenario": {func(d *twoDoors) int {
			return d.askAPI("PUT", "/scenarios/mine", scenarioText("mine", "Changed"))
		}, func(d *twoDoors) int {
			return d.sendForm("/scenarios/mine", "json", scenarioText("mine", "Changed"))
		}, "scenario.put"},
		"put a draft": {func(d *twoDoors) int {
			return d.askAPI("PUT", "/scenarios/mine", strings.Replace(scenarioText("mine", "Draft"), "{", `{"status":"draft",`, 1))
		}, func(d *twoDoors) int {
			return d.sendForm("/scenarios/mine", "op", "save-draft", "json", scenarioText("mine", "Draft"))
		}, "scenario.draft"},
		"delete a scenario": {
			func(d *twoDoors) int { return d.askAPI("DELETE", "/scenarios/mine", "") },
			func(d *twoDoors) int { return d.sendForm("/scenarios/mine/delete") }, "scenario.delete",
		},
		"pause a campaign": {
			func(d *twoDoors) int { return d.askAPI("POST", "/campaigns/{campaign}/pause", "") },
			func(d *twoDoors) int { return d.sendForm("/campaigns/{campaign}/pause") }, "campaign.pause",
		},
		"cancel a campaign": {
			func(d *twoDoors) int { return d.askAPI("POST", "/campaigns/{campaign}/cancel", "") },
			func(d *twoDoors) int { return d.sendForm("/campaigns/{campaign}/cancel") }, "campaign.cancel",
		},
		"retry a campaign": {
			func(d *twoDoors) int { return d.askAPI("POST", "/campaigns/{campaign}/retry", "") },
			func(d *twoDoors) int { return d.sendForm("/campaigns/{campaign}/retry") }, "campaign.retry",
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			d := openDoors(t)
			before := d.storedLines(ofAPI)
			if diff := cmp.Diff(before, d.storedLines(ofConsole)); diff != "" {
				t.Fatalf("the organizations begin unlike: %s", diff)
			}
			fromAPI, fromPage := c.api(d), c.page(d)
			after := d.storedLines(ofAPI)
			if diff := cmp.Diff(after, d.storedLines(ofConsole)); diff != "" {
				t.Errorf("the API (%d) left other contents than the console (%d): (-API +console)\n%s", fromAPI, fromPage, diff)
			}
			if changed := !slices.Equal(before, after); changed != (c.action != "") || changed != (fromAPI < 300) {
				t.Errorf("status %d, changed: %v", fromAPI, changed)
			}
			if c.action == "" {
				return
			}
			trail, err := d.store.AuditTrail(t.Context(), ofConsole, 1, "")
			if err != nil || trail.Items[0].Action != c.action || trail.Items[0].Actor != "user:someone" {
				t.Errorf("the newest audit entry is %+v, %v", trail.Items, err)
			}
		})
	}
}

// campaignText is a campaign of one call, with an order as metadata, in the API's JSON.
func campaignText(number, order string) string {
	return fmt.Sprintf(`{"name":"New","scenario_id":"mine","skip_invalid":true,
		"calls":[{"phone_number":%q,"metadata":{"order":%q}}]}`, number, order)
}

// sendContacts creates the same campaign from a file of contacts in the console.
func (d *twoDoors) sendContacts(number, order string) int {
	d.Helper()
	table, err := contactfile.PackTables(contactfile.ContactTable{
		Header: []string{"phone", "order"}, Rows: [][]string{{number, order}}, Numbers: []int{2},
	})
	d.mustBoth(err)
	return d.sendForm("/campaigns", "table", table, "id", campaign.NewID(), "name", "New", "scenario", "mine",
		"region", "SA", "col.0", contactfile.PhoneField, "col.1", "keep:", "sure", "mine")
}

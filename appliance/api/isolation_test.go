package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"munadi/appliance/api"
	"munadi/store/call"
)

// TestOrganizationsNeverMeet requests every resource of one organization with the key of another: it appears not to
// exist, and does not change.
func TestOrganizationsNeverMeet(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.askPath("PUT", "/webhook", `{"url":"https://hooks.example/secret","enabled":true,"signing":true}`).want(200)
	b.askPath("PUT", "/organization", `{"disclosure":"acme's own words"}`).want(200)
	b.askPath("POST", "/suppressions", `{"phone_number":"+966500000055","reason":"asked"}`).want(201)
	b.askPath("POST", "/scenarios", flow).want(201)
	ended, running := b.addRecordedCall("acme", sound), b.bringCallTo("acme", call.InProgress, nil)
	waiting := b.askPath("POST", "/calls", withFields(`"scheduled_at":`+b.timeIn(3600e9)), withHeader{"Idempotency-Key", "k"}).want(201).text("data", "id")
	test := b.askPath("POST", "/webhook/test", "").want(202).text("data", "id")
	to := b.askPath("POST", "/destinations", `{"url":"https://events.example/secret","events":["call.booked"]}`).want(201).text("data", "id")
	b.askPath("POST", "/calls", minimal).want(201)
	event := b.askPath("GET", "/destinations/"+to+"/deliveries", "").want(200).text("data", 0, "id")
	many := b.askPath("POST", "/campaigns", `{"name":"acme's","scenario_id":"hello","paused":true,"calls":[{"phone_number":"+966500000043"}]}`).want(201).text("data", "id")
	again := b.askPath("POST", "/replays", `{"scenario_id":"reminder","version":"published","from":"2020-01-01T00:00:00Z"}`).want(201).text("data", "id")
	before := b.visibleState(ended.ID, running.ID, waiting)
	foreign := []foreignRequest{
		{"GET", "/calls/" + ended.ID, ""},
		{"GET", "/calls/" + ended.ID + "/evidence", ""},
		{"GET", "/calls/" + ended.ID + "/recording", ""},
		{"GET", "/calls/" + ended.ID + "/recording?t=" + b.links.Signer.RecordingToken("acme", ended.ID, b.now), ""},
		{"GET", "/calls/" + waiting, ""},
		{"POST", "/calls/" + waiting + "/cancel", ""},
		{"POST", "/calls/" + waiting + "/reschedule", `{"scheduled_at":` + b.timeIn(7200e9) + `}`},
		{"POST", "/calls/" + ended.ID + "/cancel", ""},
		{"GET", "/calls/" + ended.ID + "/trace", ""},
		{"POST", "/calls/" + ended.ID + "/test", `{"scenario_id":"hello","name":"x"}`},
		{"POST", "/calls/" + ended.ID + "/call_back", `{}`},
		{"DELETE", "/calls/" + ended.ID, ""},
		{"GET", "/campaigns/" + many, ""},
		{"GET", "/campaigns/" + many + "/results.csv", ""},
		{"POST", "/campaigns/" + many + "/pause", ""},
		{"POST", "/campaigns/" + many + "/resume", ""},
		{"POST", "/campaigns/" + many + "/cancel", ""},
		{"POST", "/campaigns/" + many + "/retry", ""},
		{"GET", "/scenarios/hello/talk", ""},
		{"POST", "/scenarios/hello/ring", `{"extension":"204"}`},
		{"GET", "/replays/" + again, ""},
		{"GET", "/replays/" + again + "/results", ""},
		{"POST", "/replays/" + again + "/pause", ""},
		{"POST", "/replays/" + again + "/resume", ""},
		{"DELETE", "/replays/" + again, ""},
		{"POST", "/calls/" + running.ID + "/hangup", ""},
		{"POST", "/calls/" + ended.ID + "/notes", `{"text":"x"}`},
		{"POST", "/calls/" + ended.ID + "/needs_person", `{}`},
		{"POST", "/calls/" + ended.ID + "/corrections", `{"messages":[{"index":0,"content":"x"}]}`},
		{"GET", "/scenarios/hello", ""},
		{"PUT", "/scenarios/hello", flow},
		{"POST", "/scenarios/hello/tests", ""},
		{"GET", "/scenarios/hello/phrase-proposals", ""},
		{"POST", "/scenarios/hello/phrase-proposals/none", `{"accept":true}`},
		{"DELETE", "/scenarios/hello", ""},
		{"DELETE", "/suppressions/+966500000055", ""},
		{"POST", "/webhook/deliveries/" + test + "/redeliver", ""},
		{"GET", "/destinations/" + to, ""},
		{"PATCH", "/destinations/" + to, `{"enabled":false}`},
		{"DELETE", "/destinations/" + to, ""},
		{"PATCH", "/destinations/" + to, `{"rotate_secret":true}`},
		{"POST", "/destinations/" + to + "/replay", `{"from":"2026-01-01T00:00:00Z"}`},
		{"GET", "/destinations/" + to + "/deliveries", ""},
		{"POST", "/destinations/" + to + "/deliveries/" + event + "/redeliver", ""},
	}
	for _, o := range foreign {
		got := b.askPath(o.method, o.path, o.body, withKey(rival)).failure(404, "not_found")
		nobody := b.askPath(o.method, strings.NewReplacer(ended.ID, call.NewID(), waiting, call.NewID(), running.ID, call.NewID(),
			"hello", "nobody", "055", "056", test, "dlv_x", to, "dest_x", event, "evt_x", many, "camp_x", again, "rpl_x").Replace(o.path), o.body, withKey(rival)).failure(404, "not_found")
		if got.text("error", "message") != nobody.text("error", "message") {
			t.Errorf("%s %s: %s, of what is not there: %s", o.method, o.path, got.Body, nobody.Body)
		}
	}
	for _, r := range b.echo.Routes() {
		path := strings.TrimPrefix(r.Path, api.Root)
		if strings.Contains(path, ":") && r.Method != http.MethodHead && path != "/recordings/:call_id" && path != "/people/:number" &&
			!slices.ContainsFunc(foreign, func(o foreignRequest) bool { return o.method == r.Method && fitsRoute(o.path, path) }) {
			t.Errorf("%s %s is not requested with another's key", r.Method, path)
		}
	}
	b.askPath("DELETE", "/people/+966500000042", "", withKey(rival)).want(200)
	b.askPath("POST", "/calls", strings.Replace(minimal, "reminder", "hello", 1), withKey(rival)).failure(422, "validation_error", "scenario_id")
	b.askPath("POST", "/scenarios", strings.Replace(flow, "Hello", "Rival's", 1), withKey(rival)).want(201)
	b.askPath("PUT", "/webhook", `{"url":"https://rival.example/","enabled":true}`, withKey(rival)).want(200)
	b.askPath("PATCH", "/organization", `{"kill_switch":true}`, withKey(rival)).want(200)
	b.askPath("POST", "/suppressions", `{"phone_number":"+966500000055","reason":"rival's"}`, withKey(rival)).want(201)
	if got := b.askPath("POST", "/calls", minimal, withHeader{"Idempotency-Key", "k"}, withKey(rival)).want(201); got.text("data", "id") == waiting {
		t.Error("an idempotency key opens another organization's call")
	}
	for _, path := range []string{"/calls", "/calls?phone_number=%2B966500000042", "/webhook/deliveries", "/suppressions", "/scenarios", "/organization", "/webhook", "/destinations", "/campaigns", "/replays"} {
		got := b.askPath("GET", path, "", withKey(rival)).want(200).Body.String()
		for _, own := range []string{ended.ID, waiting, running.ID, test, "asked", "acme", "hooks.example", "events.example", `"Hello"`} {
			if strings.Contains(got, own) {
				t.Errorf("GET %s shows %s: %s", path, own, got)
			}
		}
	}
	if after := b.visibleState(ended.ID, running.ID, waiting); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
	b.askPath("GET", "/calls/"+ended.ID+"/recording", "").want(302)
}

// foreignRequest is a request for what belongs to another organization.
type foreignRequest struct{ method, path, body string }

// fitsRoute reports whether a path is one of a route.
func fitsRoute(path, route string) bool {
	path, _, _ = strings.Cut(path, "?")
	parts, names := strings.Split(path, "/"), strings.Split(route, "/")
	return slices.EqualFunc(parts, names, func(part, name string) bool { return part == name || strings.HasPrefix(name, ":") })
}

// visibleState returns everything that acme's key can read, without what changes at each read.
func (b *apiFixture) visibleState(ids ...string) string {
	b.Helper()
	var all []string
	for _, path := range []string{"/calls", "/webhook/deliveries", "/suppressions", "/scenarios", "/organization", "/webhook", "/destinations", "/campaigns", "/replays"} {
		all = append(all, rawData(b.askPath("GET", path, "").want(200)))
	}
	for _, id := range ids {
		all = append(all, rawData(b.askPath("GET", "/calls/"+id, "").want(200)))
	}
	return strings.Join(all, "\n")
}

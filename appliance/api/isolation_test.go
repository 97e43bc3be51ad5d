package api_test

import (
	"strings"
	"testing"

	"munadi/store/call"
)

// TestOrganizationsNeverMeet asks for everything of one organization with the other's key: it looks as if it were not
// there, and none of it changes.
func TestOrganizationsNeverMeet(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ask("PUT", "/webhook", `{"url":"https://hooks.example/secret","enabled":true,"signing":true}`).want(200)
	b.ask("PUT", "/organization", `{"disclosure":"acme's own words"}`).want(200)
	b.ask("POST", "/suppressions", `{"phone_number":"+966500000055","reason":"asked"}`).want(201)
	b.ask("POST", "/scenarios", flow).want(201)
	ended, running := b.recorded("acme", sound), b.reach("acme", call.InProgress, nil)
	waiting := b.ask("POST", "/calls", with(`"scheduled_at":`+b.in(3600e9)), head{"Idempotency-Key", "k"}).want(201).text("data", "id")
	test := b.ask("POST", "/webhook/test", "").want(202).text("data", "id")
	before := b.everything(ended.ID, running.ID, waiting)

	for _, o := range []struct{ method, path, body string }{
		{"GET", "/calls/" + ended.ID, ""},
		{"GET", "/calls/" + ended.ID + "/recording", ""},
		{"GET", "/calls/" + ended.ID + "/recording?t=" + b.links.Signer.RecordingToken("acme", ended.ID, b.now), ""},
		{"GET", "/calls/" + waiting, ""},
		{"POST", "/calls/" + waiting + "/cancel", ""},
		{"POST", "/calls/" + waiting + "/reschedule", `{"scheduled_at":` + b.in(7200e9) + `}`},
		{"POST", "/calls/" + ended.ID + "/cancel", ""},
		{"POST", "/calls/" + running.ID + "/hangup", ""},
		{"POST", "/calls/" + ended.ID + "/notes", `{"text":"x"}`},
		{"POST", "/calls/" + ended.ID + "/needs_person", `{}`},
		{"POST", "/calls/" + ended.ID + "/corrections", `{"messages":[{"index":0,"content":"x"}]}`},
		{"GET", "/scenarios/hello", ""},
		{"PUT", "/scenarios/hello", flow},
		{"DELETE", "/scenarios/hello", ""},
		{"DELETE", "/suppressions/+966500000055", ""},
		{"POST", "/webhook/deliveries/" + test + "/redeliver", ""},
	} {
		got := b.ask(o.method, o.path, o.body, as(rival)).failure(404, "not_found")
		nobody := b.ask(o.method, strings.NewReplacer(ended.ID, call.NewID(), waiting, call.NewID(), running.ID, call.NewID(),
			"hello", "nobody", "055", "056", test, "dlv_x").Replace(o.path), o.body, as(rival)).failure(404, "not_found")
		if got.text("error", "message") != nobody.text("error", "message") {
			t.Errorf("%s %s: %s, of what is not there: %s", o.method, o.path, got.Body, nobody.Body)
		}
	}
	b.ask("DELETE", "/people/+966500000042", "", as(rival)).want(200)
	b.ask("POST", "/calls", strings.Replace(minimal, "reminder", "hello", 1), as(rival)).failure(422, "validation_error", "scenario_id")
	b.ask("POST", "/scenarios", strings.Replace(flow, "Hello", "Rival's", 1), as(rival)).want(201)
	b.ask("PUT", "/webhook", `{"url":"https://rival.example/","enabled":true}`, as(rival)).want(200)
	b.ask("PATCH", "/organization", `{"kill_switch":true}`, as(rival)).want(200)
	b.ask("POST", "/suppressions", `{"phone_number":"+966500000055","reason":"rival's"}`, as(rival)).want(201)
	if got := b.ask("POST", "/calls", minimal, head{"Idempotency-Key", "k"}, as(rival)).want(201); got.text("data", "id") == waiting {
		t.Error("an idempotency key opens another organization's call")
	}
	for _, path := range []string{"/calls", "/calls?phone_number=%2B966500000042", "/webhook/deliveries", "/suppressions", "/scenarios", "/organization", "/webhook"} {
		got := b.ask("GET", path, "", as(rival)).want(200).Body.String()
		for _, own := range []string{ended.ID, waiting, running.ID, test, "asked", "acme", "hooks.example", `"Hello"`} {
			if strings.Contains(got, own) {
				t.Errorf("GET %s shows %s: %s", path, own, got)
			}
		}
	}
	if after := b.everything(ended.ID, running.ID, waiting); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
	b.ask("GET", "/calls/"+ended.ID+"/recording", "").want(302)
}

// everything is all that acme's key sees, but for what is new at each look.
func (b *bench) everything(ids ...string) string {
	b.Helper()
	var all []string
	for _, path := range []string{"/calls", "/webhook/deliveries", "/suppressions", "/scenarios", "/organization", "/webhook"} {
		all = append(all, data(b.ask("GET", path, "").want(200)))
	}
	for _, id := range ids {
		all = append(all, data(b.ask("GET", "/calls/"+id, "").want(200)))
	}
	return strings.Join(all, "\n")
}

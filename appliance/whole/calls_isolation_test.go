package whole_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestOrganizationsNeverMeet asks for everything of one organization with another's key.
func TestOrganizationsNeverMeet(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	if got := munadi(t, nil, "orgs", "create", "rival", "--data", a.Data); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	out, _ := a.keysCommand(t, "create", "--org", "rival", "--name", "spy", "--scope", "calls,settings,people:erase")
	spy := key(strings.TrimSpace(out))
	hook := newReceiver(t, nil)
	a.listen(t, hook)
	id := a.book(t, simulated("00"), "appointment_confirmation", nil).text("id")
	waiting := a.book(t, simulated("00"), "appointment_confirmation", object{"scheduled_at": soon(time.Hour)}).text("id")
	hook.await(t, id)
	done := a.until(t, id, func(c object) bool { return c.text("webhook", "state") == "delivered" })
	a.ask(t, http.MethodPost, "/suppressions", object{"phone_number": "+966500000055", "reason": "asked"}).ok(t)
	own := object{"id": "own_flow", "name": "x", "language": "ar", "steps": []object{{"id": "a", "type": "end"}}}
	a.ask(t, http.MethodPost, "/scenarios", own).want(t, 201)
	deliveries := a.ask(t, http.MethodGet, "/webhook/deliveries", nil).want(t, 200).object(t)
	delivery := object(object(deliveries).list("data")[0].(map[string]any)).text("id")

	move := object{"scheduled_at": soon(2 * time.Hour)}
	for _, c := range []struct {
		method, path string
		body         any
	}{
		{"GET", "/calls/" + id, nil},
		{"GET", "/calls/" + id + "/recording", nil},
		{"POST", "/calls/" + waiting + "/cancel", nil},
		{"POST", "/calls/" + waiting + "/reschedule", move},
		{"POST", "/calls/" + id + "/hangup", nil},
		{"GET", "/scenarios/own_flow", nil},
		{"DELETE", "/scenarios/own_flow", nil},
		{"DELETE", "/suppressions/+966500000055", nil},
		{"POST", "/webhook/deliveries/" + delivery + "/redeliver", nil},
	} {
		got := a.ask(t, c.method, c.path, c.body, spy)
		if got.Status != http.StatusNotFound {
			t.Errorf("%s %s with another's key: %d %s", c.method, c.path, got.Status, got)
		}
	}
	for _, path := range []string{"/calls", "/suppressions", "/webhook/deliveries"} {
		if got := object(a.ask(t, http.MethodGet, path, nil, spy).want(t, 200).object(t)); len(got.list("data")) > 0 {
			t.Errorf("GET %s shows another's %v", path, got)
		}
	}
	if got := a.ask(t, http.MethodGet, "/webhook", nil, spy).want(t, 200); strings.Contains(got.String(), hook.URL) {
		t.Errorf("another's webhook: %s", got)
	}
	for _, path := range []string{"/scenarios", "/organization"} {
		if got := a.ask(t, http.MethodGet, path, nil, spy).want(t, 200); strings.Contains(got.String(), "own_flow") {
			t.Errorf("GET %s: %s", path, got)
		}
	}
	a.ask(t, http.MethodDelete, "/people/"+simulated("00"), nil, spy).ok(t)
	if c := a.call(t, id); c.text("status") != "completed" || len(c.list("enhanced_transcript", "transcript", "messages")) == 0 {
		t.Errorf("the spy's erasure reached %v", c)
	}
	wrongRecordingCredentials(t, a, done, spy)
}

// wrongRecordingCredentials: a key counts before a token, and a token opens its own call alone.
func wrongRecordingCredentials(t *testing.T, a *instance, c object, spy part) {
	t.Helper()
	link := c.text("recording_url")
	token := link[strings.Index(link, "t=")+2:]
	path := "/calls/" + c.text("id") + "/recording"
	other := a.book(t, simulated("01"), "appointment_confirmation", object{"scheduled_at": soon(time.Hour)}).text("id")
	for _, w := range []struct {
		what, path string
		parts      []part
		status     int
		kind       string
	}{
		{"another's key beside a good token", path + "?t=" + token, []part{spy}, 404, "not_found"},
		{"no key and no token", path, []part{key("")}, 401, "authentication_error"},
		{"a bad key beside a good token", path + "?t=" + token, []part{key("nonsense-nonsense")}, 401, "authentication_error"},
		{"a forged token", path + "?t=" + token[:len(token)-2] + "AA", []part{key("")}, 403, "permission_error"},
		{"another call's token", "/calls/" + other + "/recording?t=" + token, []part{key("")}, 403, "permission_error"},
	} {
		t.Run(w.what, func(t *testing.T) { fetch(t, a.URL+v1+w.path, w.parts...).failure(t, w.status, w.kind) })
	}
	if got := fetch(t, a.URL+v1+path, header("X-Svc-Recording-Token", token)); got.Status != http.StatusFound {
		t.Errorf("the token in the header: %d %s", got.Status, got)
	}
}

// ok wants any success.
func (a answer) ok(t testing.TB) {
	t.Helper()
	if a.Status < 200 || a.Status > 299 {
		t.Fatalf("status %d: %.500s", a.Status, a.Body)
	}
}

package whole_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestOrganizationsNeverMeet requests every resource of one organization with the key of another.
func TestOrganizationsNeverMeet(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	if got := runMunadi(t, nil, "orgs", "create", "rival", "--data", a.Data); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	out, _ := a.keysCommand(t, "create", "--org", "rival", "--name", "spy", "--scope", "calls,settings,people:erase")
	spy := withKey(strings.TrimSpace(out))
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	id := a.bookCall(t, simulatedNumber("00"), "appointment_confirmation", nil).textAt("id")
	waiting := a.bookCall(t, simulatedNumber("00"), "appointment_confirmation", jsonObject{"scheduled_at": timeFromNow(time.Hour)}).textAt("id")
	hook.awaitNotification(t, id)
	done := a.awaitCall(t, id, func(c jsonObject) bool { return c.textAt("webhook", "state") == "delivered" })
	a.requestAPI(t, http.MethodPost, "/suppressions", jsonObject{"phone_number": "+966500000055", "reason": "asked"}).wantSuccess(t)
	own := jsonObject{"id": "own_flow", "name": "x", "language": "ar", "steps": []jsonObject{{"id": "a", "type": "end"}}}
	a.requestAPI(t, http.MethodPost, "/scenarios", own).wantStatus(t, 201)
	deliveries := a.requestAPI(t, http.MethodGet, "/webhook/deliveries", nil).wantStatus(t, 200).jsonBody(t)
	delivery := jsonObject(jsonObject(deliveries).listAt("data")[0].(map[string]any)).textAt("id")

	move := jsonObject{"scheduled_at": timeFromNow(2 * time.Hour)}
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
		{"POST", "/scenarios/own_flow/tests", nil},
		{"DELETE", "/scenarios/own_flow", nil},
		{"DELETE", "/suppressions/+966500000055", nil},
		{"POST", "/webhook/deliveries/" + delivery + "/redeliver", nil},
	} {
		got := a.requestAPI(t, c.method, c.path, c.body, spy)
		if got.Status != http.StatusNotFound {
			t.Errorf("%s %s with another's key: %d %s", c.method, c.path, got.Status, got)
		}
	}
	for _, path := range []string{"/calls", "/suppressions", "/webhook/deliveries"} {
		if got := jsonObject(a.requestAPI(t, http.MethodGet, path, nil, spy).wantStatus(t, 200).jsonBody(t)); len(got.listAt("data")) > 0 {
			t.Errorf("GET %s shows another's %v", path, got)
		}
	}
	if got := a.requestAPI(t, http.MethodGet, "/webhook", nil, spy).wantStatus(t, 200); strings.Contains(got.String(), hook.URL) {
		t.Errorf("another's webhook: %s", got)
	}
	for _, path := range []string{"/scenarios", "/organization"} {
		if got := a.requestAPI(t, http.MethodGet, path, nil, spy).wantStatus(t, 200); strings.Contains(got.String(), "own_flow") {
			t.Errorf("GET %s: %s", path, got)
		}
	}
	a.requestAPI(t, http.MethodDelete, "/people/"+simulatedNumber("00"), nil, spy).wantSuccess(t)
	if c := a.fetchCall(t, id); c.textAt("status") != "completed" || len(c.listAt("enhanced_transcript", "transcript", "messages")) == 0 {
		t.Errorf("the spy's erasure reached %v", c)
	}
	wrongRecordingCredentials(t, a, done, spy)
}

// wrongRecordingCredentials checks that a key takes precedence over a token, and that a token is valid only for its
// call.
func wrongRecordingCredentials(t *testing.T, a *testInstance, c jsonObject, spy requestPart) {
	t.Helper()
	link := c.textAt("recording_url")
	token := link[strings.Index(link, "t=")+2:]
	path := "/calls/" + c.textAt("id") + "/recording"
	other := a.bookCall(t, simulatedNumber("01"), "appointment_confirmation", jsonObject{"scheduled_at": timeFromNow(time.Hour)}).textAt("id")
	for _, w := range []struct {
		what, path string
		parts      []requestPart
		status     int
		kind       string
	}{
		{"another's key beside a good token", path + "?t=" + token, []requestPart{spy}, 404, "not_found"},
		{"no key and no token", path, []requestPart{withKey("")}, 401, "authentication_error"},
		{"a bad key beside a good token", path + "?t=" + token, []requestPart{withKey("nonsense-nonsense")}, 401, "authentication_error"},
		{"a forged token", path + "?t=" + forgeToken(token), []requestPart{withKey("")}, 403, "permission_error"},
		{"another call's token", "/calls/" + other + "/recording?t=" + token, []requestPart{withKey("")}, 403, "permission_error"},
	} {
		t.Run(w.what, func(t *testing.T) { fetchWithoutKey(t, a.URL+v1+w.path, w.parts...).wantFailure(t, w.status, w.kind) })
	}
	if got := fetchWithoutKey(t, a.URL+v1+path, withHeader("X-Svc-Recording-Token", token)); got.Status != http.StatusFound {
		t.Errorf("the token in the header: %d %s", got.Status, got)
	}
}

// wantSuccess expects any 2xx status.
func (a testAnswer) wantSuccess(t testing.TB) {
	t.Helper()
	if a.Status < 200 || a.Status > 299 {
		t.Fatalf("status %d: %.500s", a.Status, a.Body)
	}
}

package whole_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// bookQuickCall books a call that ends at once.
func (a *testInstance) bookQuickCall(t testing.TB) string {
	t.Helper()
	return a.bookCall(t, simulatedNumber("94"), "appointment_confirmation", nil).textAt("id")
}

// awaitDelivered waits until a call's notification is delivered or has failed, and returns its attempts.
func (a *testInstance) awaitDelivered(t testing.TB, id, state string) []jsonObject {
	t.Helper()
	a.awaitEnded(t, id)
	c := a.awaitCall(t, id, func(c jsonObject) bool { s := c.textAt("webhook", "state"); return s == "delivered" || s == "failed" })
	if got := c.textAt("webhook", "state"); got != state {
		t.Fatalf("the notification is %s, want %s: %v", got, state, c.valueAt("webhook"))
	}
	var tries []jsonObject
	for _, one := range c.listAt("webhook", "attempts") {
		tries = append(tries, one.(map[string]any))
	}
	return tries
}

// threeTries expects the contract's attempts: three, each two seconds after the end of the previous one.
func threeTries(t *testing.T, tries []jsonObject) {
	t.Helper()
	if len(tries) != 3 {
		t.Fatalf("%d tries: %v", len(tries), tries)
	}
	var over time.Time
	for i, one := range tries {
		at := checkTimestamp(t, "at", one.textAt("at"))
		took, _ := one.valueAt("duration_ms").(float64)
		if gap := at.Sub(over); i > 0 && (gap < 2*time.Second-5*time.Millisecond || gap > 20*time.Second) {
			t.Errorf("try %d begins %s after the end of the one before", i+1, gap)
		}
		over = at.Add(time.Duration(took) * time.Millisecond)
		if one.textAt("error") == "" {
			t.Errorf("a failure without a word: %v", one)
		}
	}
}

// TestReceiversThatFail checks that a notification without a 2xx answer is attempted three times and then fails, that
// the log has the reason, and that it can be redelivered.
func TestReceiversThatFail(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(other.Close)
	answers := map[string]http.HandlerFunc{
		"500": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500); _, _ = w.Write([]byte("no\x00\xff")) },
		"404": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		},
		"moved": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) },
		"drops": func(_ http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) },
		"garbage": func(w http.ResponseWriter, _ *http.Request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = c.Write([]byte("SSH-2.0-OpenSSH_9.2\r\n"))
				_ = c.Close()
			}
		},
		"hangs": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	}
	statuses := map[string]any{"500": 500.0, "404": 404.0, "redirect": 307.0, "moved": 302.0}
	a := startFastCalls(t, instanceSettings{})
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			of := a.addOrganization(t, "org-"+name)
			hook := newReceiver(t, answer)
			of.setReceiver(t, hook)
			id := of.bookQuickCall(t)
			tries := of.awaitDelivered(t, id, "failed")
			threeTries(t, tries)
			if len(hook.notificationsOf(id)) != 3 || elsewhere.Load() > 0 {
				t.Errorf("%d requests came, %d elsewhere", len(hook.notificationsOf(id)), elsewhere.Load())
			}
			for _, one := range tries {
				if one.valueAt("status_code") != statuses[name] {
					t.Errorf("status_code %v of %v", one.valueAt("status_code"), one)
				}
				if took, _ := one.valueAt("duration_ms").(float64); name == "hangs" && (took < 9_900 || took > 12_000) {
					t.Errorf("a try took %v ms", took)
				}
			}
			of.redeliverLogged(t, id)
		})
	}
}

// redeliverLogged finds a call's notification in the delivery list and redelivers it.
func (a *testInstance) redeliverLogged(t *testing.T, id string) {
	t.Helper()
	log := a.requestAPI(t, http.MethodGet, "/webhook/deliveries?state=failed", nil).wantStatus(t, 200).jsonBody(t)["data"].([]any)
	if len(log) != 1 {
		t.Fatalf("%d failed deliveries: %v", len(log), log)
	}
	d := jsonObject(log[0].(map[string]any))
	tries := d.listAt("attempts")
	if d.textAt("call_id") != id || d.textAt("kind") != "call" || len(tries) != 3 {
		t.Fatalf("the log says %v", d)
	}
	var sent jsonObject
	if err := json.Unmarshal([]byte(jsonObject(tries[0].(map[string]any)).textAt("request_body")), &sent); err != nil || sent.textAt("call_id") != id {
		t.Errorf("what was sent is logged as %v", tries[0])
	}
	again := a.requestAPI(t, http.MethodPost, "/webhook/deliveries/"+d.textAt("id")+"/redeliver", nil).wantStatus(t, 202).successData(t)
	if again.textAt("state") != "pending" || again.textAt("id") != d.textAt("id") {
		t.Errorf("sent again: %v", again)
	}
	a.requestAPI(t, http.MethodPost, "/webhook/deliveries/"+d.textAt("id")+"/redeliver", nil).wantFailure(t, 409, "conflict")
}

// TestRedelivery checks that failed notifications are redelivered when the receiver is back, and that delivered ones
// are not.
func TestRedelivery(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	var broken atomic.Bool
	broken.Store(true)
	hook := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		if broken.Load() {
			w.WriteHeader(http.StatusBadGateway)
		}
	})
	a.setReceiver(t, hook)
	id := a.bookQuickCall(t)
	threeTries(t, a.awaitDelivered(t, id, "failed"))
	broken.Store(false)
	log := a.requestAPI(t, http.MethodGet, "/webhook/deliveries", nil).wantStatus(t, 200).jsonBody(t)["data"].([]any)
	path := "/webhook/deliveries/" + jsonObject(log[0].(map[string]any)).textAt("id") + "/redeliver"
	a.requestAPI(t, http.MethodPost, path, nil).wantStatus(t, 202)
	if tries := a.awaitDelivered(t, id, "delivered"); len(tries) != 4 || tries[3].valueAt("error") != nil || tries[3].valueAt("status_code") != 200.0 {
		t.Errorf("tries %v", tries)
	}
	all := hook.notificationsOf(id)
	first, err := json.Marshal(all[0])
	mustSucceed(t, err)
	last, err := json.Marshal(all[3])
	mustSucceed(t, err)
	if len(all) != 4 || !bytes.Equal(first, last) {
		t.Errorf("first %s, last %s", first, last)
	}
}

// TestTestNotification checks that a test notification is complete and is sent while the webhook is off.
func TestTestNotification(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	a.requestAPI(t, http.MethodPost, "/webhook/test", nil).wantFailure(t, 422, "validation_error")
	hook := newReceiver(t, nil)
	a.requestAPI(t, http.MethodPut, "/webhook", jsonObject{"url": hook.URL, "enabled": false}).wantStatus(t, 200)
	owed := a.requestAPI(t, http.MethodPost, "/webhook/test", nil).wantStatus(t, 202).successData(t)
	told := hook.awaitNotification(t, owed.textAt("call_id"))
	d := told.objectAt("payload", "call_data")
	if owed.textAt("kind") != "test" || told.textAt("payload", "type") != "complete" || d.textAt("status") != "completed" ||
		d.textAt("call_id") != owed.textAt("call_id") || len(d.listAt("enhanced_transcript", "transcript", "messages")) < 2 ||
		d.textAt("recording_url") == "" || d.objectAt("report") == nil {
		t.Errorf("told %v", told)
	}
	a.awaitEnded(t, a.bookQuickCall(t))
	if all := hook.allNotifications(); len(all) != 1 {
		t.Errorf("%d notifications while it is off", len(all))
	}
}

// TestSignatures checks that signing is optional, and that an independent library verifies signatures of the new and of
// the old secret.
func TestSignatures(t *testing.T) {
	t.Parallel()
	python := projectPath(t, ".cache/venv/bin/python")
	if exec.Command(python, "-c", "import standardwebhooks").Run() != nil {
		skipOrFail(t, "no standardwebhooks package in .cache/venv: packaging/setup test")
	}
	a := startFastCalls(t, instanceSettings{})
	hook := newReceiver(t, nil)
	setting := jsonObject{"url": hook.URL, "enabled": true, "signing": false}
	a.requestAPI(t, http.MethodPut, "/webhook", setting).wantStatus(t, 200)
	plain := a.bookQuickCall(t)
	hook.awaitNotification(t, plain)
	if h := hook.headersOf(plain); h.Get("Webhook-Signature") != "" || h.Get("Content-Type") != "application/json" {
		t.Errorf("headers without signing: %v", h)
	}
	setting["signing"] = true
	old := a.requestAPI(t, http.MethodPut, "/webhook", setting).wantStatus(t, 200).successData(t).textAt("secret")
	setting["rotate_secret"] = true
	fresh := a.requestAPI(t, http.MethodPut, "/webhook", setting).wantStatus(t, 200).successData(t).textAt("secret")
	if a.requestAPI(t, http.MethodGet, "/webhook", nil).wantStatus(t, 200).successData(t).valueAt("secret") != nil {
		t.Error("a secret is shown again")
	}
	id := a.bookQuickCall(t)
	hook.awaitNotification(t, id)
	for secret, want := range map[string]string{old: "good", fresh: "good", "whsec_" + strings.Repeat("A", 43) + "=": "bad"} {
		if got := verifySignature(t, python, secret, hook.headersOf(id), hook.rawBodyOf(id)); !strings.HasPrefix(got, want) {
			t.Errorf("with %s: %s, want %s", secret, got, want)
		}
	}
	if got := verifySignature(t, python, fresh, hook.headersOf(id), hook.rawBodyOf(id)+" "); !strings.HasPrefix(got, "bad") {
		t.Errorf("a changed body is %s", got)
	}
}

func verifySignature(t *testing.T, python, secret string, h http.Header, body string) string {
	t.Helper()
	headers := map[string]string{}
	for name := range h {
		headers[strings.ToLower(name)] = h.Get(name)
	}
	given, err := json.Marshal(map[string]any{"headers": headers, "body": body})
	mustSucceed(t, err)
	cmd := exec.Command(python, "testdata/verify_webhook.py", secret)
	cmd.Stdin = bytes.NewReader(given)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestForbiddenReceivers checks that forbidden addresses are refused in every spelling when the webhook or a destination
// of events is set (SSRF
// protection).
func TestForbiddenReceivers(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	for _, url := range []string{
		"http://169.254.169.254/latest/meta-data", "http://[fe80::1]/", "http://[::ffff:169.254.169.254]/x",
		"http://2852039166/", "http://metadata.google.internal/", "http://0.0.0.0/", "http://100.100.100.200/",
		"ftp://example.com/", "file:///etc/passwd", "gopher://example.com", "example.com/hook", "http://",
	} {
		e := a.requestAPI(t, http.MethodPut, "/webhook", jsonObject{"url": url, "enabled": true}).wantFailure(t, 422, "validation_error")
		if v := e.listAt("field_violations"); len(v) != 1 || jsonObject(v[0].(map[string]any)).textAt("field") != "url" {
			t.Errorf("%s: %v", url, e)
		}
		destination := jsonObject{"url": url, "events": []string{"call.booked"}}
		a.requestAPI(t, http.MethodPost, "/destinations", destination).wantFailure(t, 422, "validation_error")
	}
}

// TestProxy checks that notifications use the configured proxy except for private networks, that forbidden addresses
// stay forbidden, and that the proxy of the environment is ignored.
func TestProxy(t *testing.T) {
	t.Parallel()
	var asked atomic.Value
	asked.Store("")
	proxy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked.Store(r.URL.String()) }))
	t.Cleanup(proxy.Close)
	dead := "http://127.0.0.1:9"
	a := startFastCalls(t, instanceSettings{
		args: []string{"--proxy", proxy.URL},
		env:  []string{"HTTP_PROXY=" + dead, "HTTPS_PROXY=" + dead, "http_proxy=" + dead},
	})
	const elsewhere = "http://hooks.invalid/secret"
	a.requestAPI(t, http.MethodPut, "/webhook", jsonObject{"url": elsewhere, "enabled": true}).wantStatus(t, 200)
	a.awaitDelivered(t, a.bookQuickCall(t), "delivered")
	if got := asked.Swap(""); got != elsewhere {
		t.Errorf("the proxy was asked for %q", got)
	}
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	id := a.bookQuickCall(t)
	a.awaitDelivered(t, id, "delivered")
	if len(hook.notificationsOf(id)) != 1 || asked.Load() != "" {
		t.Errorf("%d notifications came, the proxy was asked for %q", len(hook.notificationsOf(id)), asked.Load())
	}
	a.requestAPI(t, http.MethodPut, "/webhook", jsonObject{"url": "http://169.254.169.254/", "enabled": true}).wantFailure(t, 422, "validation_error")
}

// TestSlowNeighbours checks that a receiver that never answers does not delay those of other organizations.
func TestSlowNeighbours(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{args: []string{"--lines", "32"}})
	deaf, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections and never answers
	mustSucceed(t, err)
	t.Cleanup(func() { _ = deaf.Close() })
	for i := range 12 {
		of := a.addOrganization(t, fmt.Sprintf("deaf-%d", i))
		of.requestAPI(t, http.MethodPut, "/webhook", jsonObject{"url": "http://" + deaf.Addr().String(), "enabled": true}).wantStatus(t, 200)
		for range 3 {
			of.bookQuickCall(t)
		}
	}
	hook := newReceiver(t, nil)
	var group sync.WaitGroup
	for i := range 6 {
		of := a.addOrganization(t, fmt.Sprintf("well-%d", i))
		of.setReceiver(t, hook)
		group.Go(func() {
			id := of.bookQuickCall(t)
			tries := of.awaitDelivered(t, id, "delivered")
			ended, at := of.fetchCall(t, id).textAt("ended_at"), tries[0].textAt("at")
			if lag := checkTimestamp(t, "at", at).Sub(checkTimestamp(t, "ended_at", ended)); lag > 5*time.Second {
				t.Errorf("the notification left %s after the end", lag)
			}
		})
	}
	group.Wait()
}

// addOrganization creates an organization with a key, and returns the appliance as a client with that key.
func (a *testInstance) addOrganization(t testing.TB, id string) *testInstance {
	t.Helper()
	if got := runMunadi(t, nil, "orgs", "create", id, "--data", a.Data); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	made, _ := a.keysCommand(t, "create", "--org", id, "--name", "test", "--scope", "calls,settings,people:erase")
	of := *a
	of.key = strings.TrimSpace(made)
	return &of
}

// allNotifications returns all received notifications by call id.
func (r *webhookReceiver) allNotifications() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var ids []string
	for _, body := range r.got {
		ids = append(ids, body.textAt("call_id"))
	}
	return ids
}

// headersOf returns the headers of the first notification of a call.
func (r *webhookReceiver) headersOf(id string) http.Header {
	i := slices.Index(r.allNotifications(), id)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.heads[i]
}

// rawBodyOf returns the unparsed body of the first notification of a call.
func (r *webhookReceiver) rawBodyOf(id string) string {
	i := slices.Index(r.allNotifications(), id)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bodies[i]
}

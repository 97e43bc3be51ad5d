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

// quick is a call that ends at once.
func (a *instance) quick(t testing.TB) string {
	t.Helper()
	return a.book(t, simulated("94"), "appointment_confirmation", nil).text("id")
}

// settled waits until a call's notification is delivered or failed, and returns its tries.
func (a *instance) settled(t testing.TB, id, state string) []object {
	t.Helper()
	a.ended(t, id)
	c := a.until(t, id, func(c object) bool { s := c.text("webhook", "state"); return s == "delivered" || s == "failed" })
	if got := c.text("webhook", "state"); got != state {
		t.Fatalf("the notification is %s, want %s: %v", got, state, c.at("webhook"))
	}
	var tries []object
	for _, one := range c.list("webhook", "attempts") {
		tries = append(tries, one.(map[string]any))
	}
	return tries
}

// threeTries holds tries to the seed: three, each two seconds after the end of the one before.
func threeTries(t *testing.T, tries []object) {
	t.Helper()
	if len(tries) != 3 {
		t.Fatalf("%d tries: %v", len(tries), tries)
	}
	var over time.Time
	for i, one := range tries {
		at := timestamp(t, "at", one.text("at"))
		took, _ := one.at("duration_ms").(float64)
		if gap := at.Sub(over); i > 0 && (gap < 2*time.Second-5*time.Millisecond || gap > 20*time.Second) {
			t.Errorf("try %d begins %s after the end of the one before", i+1, gap)
		}
		over = at.Add(time.Duration(took) * time.Millisecond)
		if one.text("error") == "" {
			t.Errorf("a failure without a word: %v", one)
		}
	}
}

// TestReceiversThatFail: what is not answered 2xx in time is tried three times and then given up, the log says why,
// and a person may have it sent again.
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
	a := caller(t, settings{})
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			of := a.organization(t, "org-"+name)
			hook := newReceiver(t, answer)
			of.listen(t, hook)
			id := of.quick(t)
			tries := of.settled(t, id, "failed")
			threeTries(t, tries)
			if len(hook.of(id)) != 3 || elsewhere.Load() > 0 {
				t.Errorf("%d requests came, %d elsewhere", len(hook.of(id)), elsewhere.Load())
			}
			for _, one := range tries {
				if one.at("status_code") != statuses[name] {
					t.Errorf("status_code %v of %v", one.at("status_code"), one)
				}
				if took, _ := one.at("duration_ms").(float64); name == "hangs" && (took < 9_900 || took > 12_000) {
					t.Errorf("a try took %v ms", took)
				}
			}
			of.logged(t, id)
		})
	}
}

// logged looks for a call's notification in the delivery log and has it sent again.
func (a *instance) logged(t *testing.T, id string) {
	t.Helper()
	log := a.ask(t, http.MethodGet, "/webhook/deliveries?state=failed", nil).want(t, 200).object(t)["data"].([]any)
	if len(log) != 1 {
		t.Fatalf("%d failed deliveries: %v", len(log), log)
	}
	d := object(log[0].(map[string]any))
	tries := d.list("attempts")
	if d.text("call_id") != id || d.text("kind") != "call" || len(tries) != 3 {
		t.Fatalf("the log says %v", d)
	}
	var sent object
	if err := json.Unmarshal([]byte(object(tries[0].(map[string]any)).text("request_body")), &sent); err != nil || sent.text("call_id") != id {
		t.Errorf("what was sent is logged as %v", tries[0])
	}
	again := a.ask(t, http.MethodPost, "/webhook/deliveries/"+d.text("id")+"/redeliver", nil).want(t, 202).data(t)
	if again.text("state") != "pending" || again.text("id") != d.text("id") {
		t.Errorf("sent again: %v", again)
	}
	a.ask(t, http.MethodPost, "/webhook/deliveries/"+d.text("id")+"/redeliver", nil).failure(t, 409, "conflict")
}

// TestRedelivery: once the receiver is back, what failed comes again, and what is delivered stays so.
func TestRedelivery(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	var broken atomic.Bool
	broken.Store(true)
	hook := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		if broken.Load() {
			w.WriteHeader(http.StatusBadGateway)
		}
	})
	a.listen(t, hook)
	id := a.quick(t)
	threeTries(t, a.settled(t, id, "failed"))
	broken.Store(false)
	log := a.ask(t, http.MethodGet, "/webhook/deliveries", nil).want(t, 200).object(t)["data"].([]any)
	path := "/webhook/deliveries/" + object(log[0].(map[string]any)).text("id") + "/redeliver"
	a.ask(t, http.MethodPost, path, nil).want(t, 202)
	if tries := a.settled(t, id, "delivered"); len(tries) != 4 || tries[3].at("error") != nil || tries[3].at("status_code") != 200.0 {
		t.Errorf("tries %v", tries)
	}
	all := hook.of(id)
	first, err := json.Marshal(all[0])
	must(t, err)
	last, err := json.Marshal(all[3])
	must(t, err)
	if len(all) != 4 || !bytes.Equal(first, last) {
		t.Errorf("first %s, last %s", first, last)
	}
}

// TestTestNotification is a complete one with every field, and goes out while the webhook is off.
func TestTestNotification(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	a.ask(t, http.MethodPost, "/webhook/test", nil).failure(t, 422, "validation_error")
	hook := newReceiver(t, nil)
	a.ask(t, http.MethodPut, "/webhook", object{"url": hook.URL, "enabled": false}).want(t, 200)
	owed := a.ask(t, http.MethodPost, "/webhook/test", nil).want(t, 202).data(t)
	told := hook.await(t, owed.text("call_id"))
	d := told.object("payload", "call_data")
	if owed.text("kind") != "test" || told.text("payload", "type") != "complete" || d.text("status") != "completed" ||
		d.text("call_id") != owed.text("call_id") || len(d.list("enhanced_transcript", "transcript", "messages")) < 2 ||
		d.text("recording_url") == "" || d.object("report") == nil {
		t.Errorf("told %v", told)
	}
	a.ended(t, a.quick(t))
	if all := hook.all(); len(all) != 1 {
		t.Errorf("%d notifications while it is off", len(all))
	}
}

// TestSignatures: turned off, no header; turned on, a stranger's library takes them, with the old and the new secret.
func TestSignatures(t *testing.T) {
	t.Parallel()
	python := projectPath(t, ".cache/venv/bin/python")
	if exec.Command(python, "-c", "import standardwebhooks").Run() != nil {
		missing(t, "no standardwebhooks package in .cache/venv: packaging/setup test")
	}
	a := caller(t, settings{})
	hook := newReceiver(t, nil)
	setting := object{"url": hook.URL, "enabled": true, "signing": false}
	a.ask(t, http.MethodPut, "/webhook", setting).want(t, 200)
	plain := a.quick(t)
	hook.await(t, plain)
	if h := hook.headers(plain); h.Get("Webhook-Signature") != "" || h.Get("Content-Type") != "application/json" {
		t.Errorf("headers without signing: %v", h)
	}
	setting["signing"] = true
	old := a.ask(t, http.MethodPut, "/webhook", setting).want(t, 200).data(t).text("secret")
	setting["rotate_secret"] = true
	fresh := a.ask(t, http.MethodPut, "/webhook", setting).want(t, 200).data(t).text("secret")
	if a.ask(t, http.MethodGet, "/webhook", nil).want(t, 200).data(t).at("secret") != nil {
		t.Error("a secret is shown again")
	}
	id := a.quick(t)
	hook.await(t, id)
	for secret, want := range map[string]string{old: "good", fresh: "good", "whsec_" + strings.Repeat("A", 43) + "=": "bad"} {
		if got := verify(t, python, secret, hook.headers(id), hook.raw(id)); !strings.HasPrefix(got, want) {
			t.Errorf("with %s: %s, want %s", secret, got, want)
		}
	}
	if got := verify(t, python, fresh, hook.headers(id), hook.raw(id)+" "); !strings.HasPrefix(got, "bad") {
		t.Errorf("a changed body is %s", got)
	}
}

func verify(t *testing.T, python, secret string, h http.Header, body string) string {
	t.Helper()
	headers := map[string]string{}
	for name := range h {
		headers[strings.ToLower(name)] = h.Get(name)
	}
	given, err := json.Marshal(map[string]any{"headers": headers, "body": body})
	must(t, err)
	cmd := exec.Command(python, "testdata/verify_webhook.py", secret)
	cmd.Stdin = bytes.NewReader(given)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestForbiddenReceivers are refused when they are set, in whatever way they are written.
func TestForbiddenReceivers(t *testing.T) {
	t.Parallel()
	a := shared(t)
	for _, url := range []string{
		"http://169.254.169.254/latest/meta-data", "http://[fe80::1]/", "http://[::ffff:169.254.169.254]/x",
		"http://2852039166/", "http://metadata.google.internal/", "http://0.0.0.0/", "http://100.100.100.200/",
		"ftp://example.com/", "file:///etc/passwd", "gopher://example.com", "example.com/hook", "http://",
	} {
		e := a.ask(t, http.MethodPut, "/webhook", object{"url": url, "enabled": true}).failure(t, 422, "validation_error")
		if v := e.list("field_violations"); len(v) != 1 || object(v[0].(map[string]any)).text("field") != "url" {
			t.Errorf("%s: %v", url, e)
		}
	}
}

// TestProxy: with one set, notifications for elsewhere go through it, those for private networks do not, and what is
// forbidden stays so. The environment's is never used.
func TestProxy(t *testing.T) {
	t.Parallel()
	var asked atomic.Value
	asked.Store("")
	proxy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked.Store(r.URL.String()) }))
	t.Cleanup(proxy.Close)
	dead := "http://127.0.0.1:9"
	a := caller(t, settings{
		args: []string{"--proxy", proxy.URL},
		env:  []string{"HTTP_PROXY=" + dead, "HTTPS_PROXY=" + dead, "http_proxy=" + dead},
	})
	const elsewhere = "http://hooks.invalid/secret"
	a.ask(t, http.MethodPut, "/webhook", object{"url": elsewhere, "enabled": true}).want(t, 200)
	a.settled(t, a.quick(t), "delivered")
	if got := asked.Swap(""); got != elsewhere {
		t.Errorf("the proxy was asked for %q", got)
	}
	hook := newReceiver(t, nil)
	a.listen(t, hook)
	id := a.quick(t)
	a.settled(t, id, "delivered")
	if len(hook.of(id)) != 1 || asked.Load() != "" {
		t.Errorf("%d notifications came, the proxy was asked for %q", len(hook.of(id)), asked.Load())
	}
	a.ask(t, http.MethodPut, "/webhook", object{"url": "http://169.254.169.254/", "enabled": true}).failure(t, 422, "validation_error")
}

// TestSlowNeighbours: one receiver that never answers does not hold up those of other organizations.
func TestSlowNeighbours(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{args: []string{"--lines", "32"}})
	deaf, err := net.Listen("tcp", "127.0.0.1:0") // takes connections, and says nothing
	must(t, err)
	t.Cleanup(func() { _ = deaf.Close() })
	for i := range 12 {
		of := a.organization(t, fmt.Sprintf("deaf-%d", i))
		of.ask(t, http.MethodPut, "/webhook", object{"url": "http://" + deaf.Addr().String(), "enabled": true}).want(t, 200)
		for range 3 {
			of.quick(t)
		}
	}
	hook := newReceiver(t, nil)
	var group sync.WaitGroup
	for i := range 6 {
		of := a.organization(t, fmt.Sprintf("well-%d", i))
		of.listen(t, hook)
		group.Go(func() {
			id := of.quick(t)
			tries := of.settled(t, id, "delivered")
			ended, at := of.call(t, id).text("ended_at"), tries[0].text("at")
			if lag := timestamp(t, "at", at).Sub(timestamp(t, "ended_at", ended)); lag > 5*time.Second {
				t.Errorf("the notification left %s after the end", lag)
			}
		})
	}
	group.Wait()
}

// organization makes one more, and returns the appliance as its key sees it.
func (a *instance) organization(t testing.TB, id string) *instance {
	t.Helper()
	if got := munadi(t, nil, "orgs", "create", id, "--data", a.Data); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	made, _ := a.keysCommand(t, "create", "--org", id, "--name", "test", "--scope", "calls,settings,people:erase")
	of := *a
	of.key = strings.TrimSpace(made)
	return &of
}

// all are all notifications that came, by their calls' ids.
func (r *receiver) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var ids []string
	for _, body := range r.got {
		ids = append(ids, body.text("call_id"))
	}
	return ids
}

// headers are those of the first notification of a call.
func (r *receiver) headers(id string) http.Header {
	i := slices.Index(r.all(), id)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.heads[i]
}

// raw is the body of the first notification of a call, as it came.
func (r *receiver) raw(id string) string {
	i := slices.Index(r.all(), id)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bodies[i]
}

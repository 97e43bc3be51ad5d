package console_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"munadi/store/account"
	"munadi/store/delivery"
)

func TestWebhook(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, account.Default, "amal", account.Owner)
	b := d.as(t, "amal")
	b.get("/console/webhook").want(200).has("Nothing was sent yet").has("Save an address first")
	b.post("/console/webhook/test").to("/console/webhook")
	for _, bad := range []string{"ftp://x", "https://", "http://169.254.169.254/latest"} {
		b.post("/console/webhook", "url", bad, "enabled", "yes").want(http.StatusUnprocessableEntity).has("cannot be used").has(bad)
	}
	b.post("/console/webhook", "url", "https://example.com/hook", "enabled", "yes", "signing", "yes").to("/console/webhook")
	secret := regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`)
	first := secret.FindString(b.get("/console/webhook").want(200).has("shown now").main())
	if first == "" {
		t.Fatal("the signing secret is not shown")
	}
	b.get("/console/webhook").want(200).lacks(first)
	b.post("/console/webhook", "url", "https://example.com/other", "signing", "yes").to("/console/webhook")
	b.get("/console/webhook").want(200).lacks("shown now").has("https://example.com/other")
	b.post("/console/webhook/rotate").to("/console/webhook")
	if second := secret.FindString(b.get("/console/webhook").want(200).main()); second == "" || second == first {
		t.Errorf("the new secret is %q", second)
	}
}

// TestWebhookExchange: a test shows what was sent and what came back, and can be sent again.
func TestWebhookExchange(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	addOrganization(t, d, "bakery")
	d.user(t, account.Default, "amal", account.Owner)
	d.user(t, "bakery", "baker", account.Owner)
	b := d.as(t, "amal")
	b.post("/console/webhook", "url", "https://example.com/hook", "enabled", "yes").to("/console/webhook")
	sent := b.post("/console/webhook/test").want(http.StatusSeeOther)
	page := strings.TrimSuffix(sent.Header.Get("Location"), "#test")
	id := page[strings.Index(page, "=")+1:]
	if p := b.get(page).want(200).has("On its way"); p.Header.Get("Refresh") == "" {
		t.Error("the page that waits is not loaded again")
	}
	b.post("/console/webhook/deliveries/" + id + "/redeliver").to("/console/webhook/deliveries/" + id)
	b.get("/console/webhook/deliveries/" + id).want(200)
	for _, status := range []int{500, 500, 500} {
		try := delivery.DeliveryTry{
			At: d.now(), URL: "https://example.com/hook", StatusCode: status, Error: "answered 500", Duration: 1234 * time.Millisecond,
			Request: `{"event":"x<y"}`, Response: "<script>alert(1)</script>",
		}
		if _, err := d.store.RecordTry(t.Context(), account.Default, id, try, d.now()); err != nil {
			t.Fatal(err)
		}
	}
	done := b.get(page).want(200).has("Failed").has("x&lt;y").has("&lt;script&gt;").has("1.23 s").lacks("<script>")
	if done.Header.Get("Refresh") != "" {
		t.Error("a page that waits for nothing is loaded again")
	}
	if n := strings.Count(done.main(), `class="dot is-failed"`); n != 3 {
		t.Errorf("%d dots for three tries", n)
	}
	b.get("/console/webhook?state=delivered").want(200).lacks("/console/webhook/deliveries/" + id)
	b.get("/console/webhook?state=nonsense").want(200).lacks("/console/webhook/deliveries/" + id)
	path := "/console/webhook/deliveries/" + id
	spy := d.as(t, "baker")
	spy.get(path).want(http.StatusNotFound)
	spy.post(path + "/redeliver").want(http.StatusNotFound)
	b.post(path + "/redeliver").to(path)
	b.get(path).want(200).has("On its way")
}

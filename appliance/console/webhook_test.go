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
	d := startConsole(t)
	d.addUser(t, account.Default, "amal", account.Owner)
	b := d.signIn(t, "amal")
	b.getPage("/console/webhook").wantStatus(200).wantText("Nothing was sent yet").wantText("Save an address first")
	b.postForm("/console/webhook/test").wantRedirect("/console/webhook")
	for _, bad := range []string{"ftp://x", "https://", "http://169.254.169.254/latest"} {
		b.postForm("/console/webhook", "url", bad, "enabled", "yes").wantStatus(http.StatusUnprocessableEntity).wantText("is not valid").wantText(bad)
	}
	b.postForm("/console/webhook", "url", "https://example.com/hook", "enabled", "yes", "signing", "yes").wantRedirect("/console/webhook")
	secret := regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`)
	first := secret.FindString(b.getPage("/console/webhook").wantStatus(200).wantText("shown now").mainText())
	if first == "" {
		t.Fatal("the signing secret is not shown")
	}
	b.getPage("/console/webhook").wantStatus(200).wantNoText(first)
	b.postForm("/console/webhook", "url", "https://example.com/other", "signing", "yes").wantRedirect("/console/webhook")
	b.getPage("/console/webhook").wantStatus(200).wantNoText("shown now").wantText("https://example.com/other")
	b.postForm("/console/webhook/rotate").wantRedirect("/console/webhook")
	if second := secret.FindString(b.getPage("/console/webhook").wantStatus(200).mainText()); second == "" || second == first {
		t.Errorf("the new secret is %q", second)
	}
}

// TestWebhookExchange checks that a test shows its request and response, and can be redelivered.
func TestWebhookExchange(t *testing.T) {
	t.Parallel()
	d := startConsole(t)
	addOrganization(t, d, "bakery")
	d.addUser(t, account.Default, "amal", account.Owner)
	d.addUser(t, "bakery", "baker", account.Owner)
	b := d.signIn(t, "amal")
	b.postForm("/console/webhook", "url", "https://example.com/hook", "enabled", "yes").wantRedirect("/console/webhook")
	sent := b.postForm("/console/webhook/test").wantStatus(http.StatusSeeOther)
	page := strings.TrimSuffix(sent.Header.Get("Location"), "#test")
	id := page[strings.Index(page, "=")+1:]
	if p := b.getPage(page).wantStatus(200).wantText("Being sent"); p.Header.Get("Refresh") == "" {
		t.Error("the page that waits is not loaded again")
	}
	b.postForm("/console/webhook/deliveries/" + id + "/redeliver").wantRedirect("/console/webhook/deliveries/" + id)
	b.getPage("/console/webhook/deliveries/" + id).wantStatus(200)
	for _, status := range []int{500, 500, 500} {
		try := delivery.DeliveryTry{
			At: d.currentTime(), URL: "https://example.com/hook", StatusCode: status, Error: "answered 500", Duration: 1234 * time.Millisecond,
			Request: `{"event":"x<y"}`, Response: "<script>alert(1)</script>",
		}
		if _, err := d.store.RecordTry(t.Context(), account.Default, id, try, d.currentTime()); err != nil {
			t.Fatal(err)
		}
	}
	done := b.getPage(page).wantStatus(200).wantText("Failed").wantText("x&lt;y").wantText("&lt;script&gt;").wantText("1.23 s").wantNoText("<script>")
	if done.Header.Get("Refresh") != "" {
		t.Error("a page that waits for nothing is loaded again")
	}
	if n := strings.Count(done.mainText(), `class="dot is-failed"`); n != 3 {
		t.Errorf("%d dots for three tries", n)
	}
	b.getPage("/console/webhook?state=delivered").wantStatus(200).wantNoText("/console/webhook/deliveries/" + id)
	b.getPage("/console/webhook?state=nonsense").wantStatus(422).wantText("state=nonsense")
	path := "/console/webhook/deliveries/" + id
	spy := d.signIn(t, "baker")
	spy.getPage(path).wantStatus(http.StatusNotFound)
	spy.postForm(path + "/redeliver").wantStatus(http.StatusNotFound)
	b.postForm("/console/webhook", "url", "").wantRedirect("/console/webhook")
	b.postForm(path + "/redeliver").wantRedirect(path)
	b.getPage(path).wantStatus(200).wantText("Save an address, turn the webhook on").wantText("Failed")
	b.postForm("/console/webhook", "url", "https://example.com/hook", "enabled", "yes").wantRedirect("/console/webhook")
	b.postForm(path + "/redeliver").wantRedirect(path)
	b.getPage(path).wantStatus(200).wantText("Being sent")
}

package whole_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"munadi/appliance/demo/browsertest"
	"munadi/appliance/mailer/mailtest"
)

// TestAlertInABrowser checks that the kill switch shows a banner on an open page and sends one notification and one
// e-mail, and that resuming sends one all-clear of each. Webhooks without the alerts option receive none.
func TestAlertInABrowser(t *testing.T) {
	t.Parallel()
	mail := mailtest.StartServer(t, false)
	a := startFastCalls(t, instanceSettings{env: []string{
		"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift, "MUNADI_SMTP_HOST=127.0.0.1", fmt.Sprintf("MUNADI_SMTP_PORT=%d", mail.Port),
		"MUNADI_SMTP_CA=" + mail.CA, "MUNADI_SMTP_USER=" + mailtest.User, "MUNADI_SMTP_PASSWORD=" + mailtest.Password,
		"MUNADI_MAIL_FROM=munadi@example.com", "MUNADI_MAIL_TO=operator@example.com",
	}})

	hook := newReceiver(t, nil)
	a.requestAPI(t, http.MethodPut, "/webhook", jsonObject{"url": hook.URL, "signing": false}).wantStatus(t, 200)
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "en", browsertest.PageView{})
	p.NavigateTo(a.URL + "/console/calls")
	p.RunScript(`window.sameAlertPage = true`)
	stop := func(on bool) {
		t.Helper()
		a.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"kill_switch": on}).wantStatus(t, 200)
	}
	stop(true)
	p.WaitText("#alert-region", "Calling is stopped")
	p.WaitFor(`window.sameAlertPage`)
	p.CheckAccessibility()
	stop(false)
	p.WaitFor(`!document.querySelector("#alert-region") && window.sameAlertPage`)
	if n := len(hook.got); n != 0 {
		t.Errorf("a receiver of calls got %d notifications", n)
	}
	a.requestAPI(t, http.MethodPut, "/webhook", jsonObject{"url": hook.URL, "alerts": true}).wantStatus(t, 200)
	stop(true)
	p.WaitText("#alert-region", "Calling is stopped")
	p.NavigateTo(a.URL + "/console/alerts")
	p.CheckAccessibility()
	p.ClickElement(`form[action$="/acknowledge"] button`)
	p.WaitText(".alert-card", "Acknowledged by")
	p.NavigateTo(a.URL + "/console/calls")
	p.WaitFor(`!document.querySelector("#alert-region")`)
	stop(false)
	p.NavigateTo(a.URL + "/console/alerts")
	p.ClickElement(`form[action$="/mail-test"] button`)
	wantMails(t, mail, "Calling is stopped", "Over: Calling is stopped", "Calling is stopped", "Over: Calling is stopped", "Test e-mail")
	hook.awaitBodies(t, 2)
	hook.mu.Lock()
	defer hook.mu.Unlock()
	if len(hook.bodies) != 2 || !strings.Contains(hook.bodies[0], `"event":"raised"`) || !strings.Contains(hook.bodies[1], `"event":"cleared"`) {
		t.Errorf("notifications %v", hook.bodies)
	}
}

// awaitBodies waits until n notifications have come.
func (r *webhookReceiver) awaitBodies(t *testing.T, n int) {
	t.Helper()
	count := func() int { r.mu.Lock(); defer r.mu.Unlock(); return len(r.bodies) }
	for end := time.Now().Add(patience); count() < n; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d notifications, want %d", count(), n)
		}
	}
}

// wantMails waits for e-mails with these words in their subjects, in any order, and for no others.
func wantMails(t *testing.T, mail *mailtest.Server, words ...string) {
	t.Helper()
	for end := time.Now().Add(patience); len(mail.ListReceived()) < len(words) && time.Now().Before(end); {
		time.Sleep(100 * time.Millisecond)
	}
	time.Sleep(time.Second)
	left := map[string]int{}
	for _, word := range words {
		left["Munadi: "+word]++
	}
	for _, one := range mail.ListReceived() {
		subject, _ := one.ReadText(t)
		_, english, _ := strings.Cut(subject, " · ")
		left["Munadi: "+english]--
	}
	for word, n := range left {
		if n != 0 {
			t.Errorf("%d e-mails %q are missing", n, word)
		}
	}
}

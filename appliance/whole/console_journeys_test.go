package whole_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/demo/browsertest"
)

// TestFirstStartInABrowser follows the set-up link from the log through password and key to the first call, whose words
// appear live.
func TestFirstStartInABrowser(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{noKey: true})
	link, browser := a.setUpLink(t), browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	began := time.Now()
	p := browser.OpenPage(t, link+"?lang=en", browsertest.PageView{})
	p.TypeText("#f-password", nightShift)
	p.TypeText("#f-again", nightShift)
	p.PressKeys(kb.Enter)
	p.WaitVisible("#key")
	plain := strings.TrimSpace(p.ElementText("#key"))
	a.requestAPI(t, http.MethodGet, "/calls", nil, withKey(plain)).wantStatus(t, 200)
	p.CheckAccessibility()
	p.ClickElement(`form[action="/console/welcome/call"] button`)
	p.WaitVisible("#call")
	p.WaitVisible(".bubble .word")
	t.Logf("from the link to the first word of the first call: %v", time.Since(began).Round(time.Second/10))
	p.NavigateTo(a.URL + "/console/welcome")
	if strings.Contains(p.ElementText("main"), plain) {
		t.Error("the key is shown twice")
	}
}

// TestKeyShownOnce checks that a new key is shown once, and that it is refused after it was revoked.
func TestKeyShownOnce(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "en", browsertest.PageView{})
	p.NavigateTo(a.URL + "/console/keys")
	p.TypeText("#f-name", "shop")
	p.PressKeys(kb.Enter)
	p.WaitVisible("#key")
	plain := strings.TrimSpace(p.ElementText("#key"))
	a.requestAPI(t, http.MethodGet, "/calls", nil, withKey(plain)).wantStatus(t, 200)
	p.ReloadPage()
	p.WaitText("table", "shop")
	if text := p.ElementText("body"); strings.Contains(text, plain) || !strings.Contains(text, plain[:8]) {
		t.Error("the page shows the key again, or not how it begins")
	}
	p.ClickElement("tbody tr:first-child .danger")
	p.WaitVisible(".confirm .danger")
	p.ClickElement(".confirm .danger")
	p.WaitText(".flash:not(.alert-banner)", "revoked")
	a.requestAPI(t, http.MethodGet, "/calls", nil, withKey(plain)).wantStatus(t, 401)
}

// TestWebhookTriedAndSentAgain sets the webhook, sends a test whose exchange is shown, and redelivers it.
func TestWebhookTriedAndSentAgain(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	hook := newReceiver(t, nil)
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "en", browsertest.PageView{})
	p.NavigateTo(a.URL + "/console/webhook")
	p.TypeText("#f-url", hook.URL)
	p.PressKeys(kb.Enter)
	p.WaitVisible(".flash:not(.alert-banner)")
	p.ClickElement(`form[action="/console/webhook/test"] button`)
	p.WaitText(".exchange", "Delivered")
	p.WaitText(".exchange pre", "payload")
	p.CheckAccessibility()
	p.ClickElement("#deliveries ~ * tbody th a, section[aria-labelledby=deliveries] tbody th a")
	p.WaitVisible(`form[action$="/redeliver"] button`)
	p.ClickElement(`form[action$="/redeliver"] button`)
	p.WaitFor(`document.querySelectorAll("article.try").length === 2`)
}

package whole_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/web/browsertest"
)

// TestFirstStartInABrowser leads from the link in the log over password and key to the first call, whose words appear.
func TestFirstStartInABrowser(t *testing.T) {
	t.Parallel()
	a := start(t, settings{noKey: true})
	link, browser := a.setUpLink(t), browsertest.New(t, browsertest.Options{})
	began := time.Now()
	p := browser.Open(t, link+"?lang=en", browsertest.View{})
	p.Type("#password", nightShift)
	p.Type("#again", nightShift)
	p.Press(kb.Enter)
	p.WaitVisible("#key")
	plain := strings.TrimSpace(p.Text("#key"))
	a.ask(t, http.MethodGet, "/calls", nil, key(plain)).want(t, 200)
	p.CheckAccess()
	p.Click(`form[action="/console/welcome/call"] button`)
	p.WaitVisible("#call")
	p.WaitVisible(".bubble .word")
	t.Logf("from the link to the first word of the first call: %v", time.Since(began).Round(time.Second/10))
	p.Go(a.URL + "/console/welcome")
	if strings.Contains(p.Text("main"), plain) {
		t.Error("the key is shown twice")
	}
}

// TestKeyShownOnce: a key is made, shown, and never again; revoked after a question, it opens nothing.
func TestKeyShownOnce(t *testing.T) {
	t.Parallel()
	a := operated(t)
	p := signIn(t, browsertest.New(t, browsertest.Options{}), a, "en", browsertest.View{})
	p.Go(a.URL + "/console/keys")
	p.Type("#name", "shop")
	p.Press(kb.Enter)
	p.WaitVisible("#key")
	plain := strings.TrimSpace(p.Text("#key"))
	a.ask(t, http.MethodGet, "/calls", nil, key(plain)).want(t, 200)
	p.Reload()
	p.WaitText("table", "shop")
	if text := p.Text("body"); strings.Contains(text, plain) || !strings.Contains(text, plain[:8]) {
		t.Error("the page shows the key again, or not how it begins")
	}
	p.Click("tbody tr:first-child .danger")
	p.WaitVisible(".confirm .danger")
	p.Click(".confirm .danger")
	p.WaitText(".flash", "revoked")
	a.ask(t, http.MethodGet, "/calls", nil, key(plain)).want(t, 401)
}

// TestWebhookTriedAndSentAgain: the address is set, a test shows its exchange in place, and is sent again.
func TestWebhookTriedAndSentAgain(t *testing.T) {
	t.Parallel()
	a := operated(t)
	hook := newReceiver(t, nil)
	p := signIn(t, browsertest.New(t, browsertest.Options{}), a, "en", browsertest.View{})
	p.Go(a.URL + "/console/webhook")
	p.Type("#url", hook.URL)
	p.Press(kb.Enter)
	p.WaitVisible(".flash")
	p.Click(`form[action="/console/webhook/test"] button`)
	p.WaitText(".exchange", "Delivered")
	p.WaitText(".exchange pre", "payload")
	p.CheckAccess()
	p.Click("#deliveries ~ * tbody th a, section[aria-labelledby=deliveries] tbody th a")
	p.WaitVisible(`form[action$="/redeliver"] button`)
	p.Click(`form[action$="/redeliver"] button`)
	p.WaitFor(`document.querySelectorAll("article.try").length === 2`)
}

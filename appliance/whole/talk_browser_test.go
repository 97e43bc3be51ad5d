package whole_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/demo/browsertest"
)

// TestTalkInTheBrowser checks that a scenario, as a draft that was never published, is talked to by the browser's
// microphone: its question is heard, the answer is recognized and found out, and the page says how it ended.
func TestTalkInTheBrowser(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	said := append(append(silentSeconds(9), recordingSamples(t, demoSample(t, "order.flac"))...), silentSeconds(60)...)
	recording := filepath.Join(t.TempDir(), "said.wav")
	mustSucceed(t, os.WriteFile(recording, encodeWAV(t, said), 0o600))
	b := browsertest.StartBrowser(t, browsertest.BrowserOptions{Microphone: recording})
	a := startInstance(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + livePassword}})
	var plan jsonObject
	mustSucceed(t, json.Unmarshal([]byte(`{"id":"order","status":"draft","name":"طلب","variables":[{"name":"who"}],"steps":[
		{"id":"ask","type":"ask","say":"السلام عليكم","slot":{"name":"wish","type":"text"},"timeout_seconds":20},
		{"id":"bye","type":"end","say":"مع السلامة"}]}`), &plan))
	a.requestAPI(t, "POST", "/scenarios", plan).successData(t)
	p := signedIn(t, b, a, "/console/scenarios/order")
	p.ClickElement(`a[href$="/talk"]`)
	p.WaitVisible("#talk-button")
	p.CheckAccessibility()
	p.ClickElement("#talk-button")
	p.WaitText("#talk-turns", "السلام عليكم")
	p.WaitText("#talk-turns .mine", "الملك")
	p.WaitText(`[data-slot="wish"]`, "الملك")
	p.WaitText("#talk-turns", "مع السلامة")
	p.WaitText("#talk-state", "The call is over.")
	p.CheckAccessibility()
}

// TestTalkWithAKey checks that from the demo page, with an API key, three clicks lead to a conversation: the link, the
// scenario, the button. The trial is kept, and a key without the scope of settings sees why it may not try a draft.
func TestTalkWithAKey(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	said := append(append(silentSeconds(9), recordingSamples(t, demoSample(t, "order.flac"))...), silentSeconds(60)...)
	recording := filepath.Join(t.TempDir(), "said.wav")
	mustSucceed(t, os.WriteFile(recording, encodeWAV(t, said), 0o600))
	b := browsertest.StartBrowser(t, browsertest.BrowserOptions{Microphone: recording})
	a := startInstance(t, instanceSettings{})
	var plan jsonObject
	mustSucceed(t, json.Unmarshal([]byte(`{"id":"aaa","name":"طلب","steps":[
		{"id":"ask","type":"ask","label":{"en":"The order"},"say":"السلام عليكم","slot":{"name":"wish","type":"text"},"timeout_seconds":20},
		{"id":"bye","type":"end","say":"مع السلامة"}]}`), &plan))
	a.requestAPI(t, "POST", "/scenarios", plan).successData(t)
	plan["status"] = "draft"
	a.requestAPI(t, "PUT", "/scenarios/aaa", plan).successData(t)
	p := b.OpenPage(t, a.URL+"/?lang=en", browsertest.PageView{})
	p.ClickElement("#talk-link")
	p.WaitFor(`!document.querySelector("#talk-link")`) // both pages have a field for the key
	p.TypeText("#key", bootstrapKey)
	p.PressKeys(kb.Enter)
	p.WaitText("#talk-choice", "draft")
	p.CheckAccessibility()
	p.ClickElement("#talk-choice li:nth-child(2) button")
	p.WaitText("#talk-script", "The order")
	p.ClickElement("#talk-button")
	p.WaitText("#talk-turns", "السلام عليكم")
	p.WaitText("#talk-turns .mine", "الملك")
	p.WaitText(`[data-slot="wish"]`, "الملك")
	p.WaitText("#talk-state", "The call is over.")
	p.CheckAccessibility()
	if kept := a.requestAPI(t, "GET", "/calls?trial=true", nil); !strings.Contains(string(kept.Body), `"scenario_id":"aaa"`) {
		t.Errorf("kept: %s", kept.Body)
	}
}

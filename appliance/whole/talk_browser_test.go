package whole_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

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

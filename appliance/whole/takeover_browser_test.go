package whole_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/demo/browsertest"
)

// TestTakeOverInTheBrowser checks that a running call is taken over by the browser's microphone and handed back, that
// one that ends while staff have it is not shown as handed back, and that the record names who took it.
func TestTakeOverInTheBrowser(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	said := append(recordingSamples(t, demoSample(t, "order.flac")), silentSeconds(60)...)
	recording := filepath.Join(t.TempDir(), "said.wav")
	mustSucceed(t, os.WriteFile(recording, encodeWAV(t, said), 0o600))
	b := browsertest.StartBrowser(t, browsertest.BrowserOptions{Microphone: recording})
	a := startInstance(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + livePassword}})
	id := a.bookCall(t, simulatedNumber("08"), "restaurant_order", nil).textAt("id")
	p := signedIn(t, b, a, "/console/calls/"+id)
	p.WaitVisible(".bubble.assistant .word")
	p.ClickElement("#take-over button")
	p.WaitText("#take-over [role=status]", "You are talking with the customer.")
	p.CheckAccessibility()
	p.ClickElement("#take-over button")
	p.WaitText("#take-over [role=status]", "The platform goes on.")
	p.ClickElement("#take-over button")
	p.WaitText("#take-over [role=status]", "You are talking with the customer.")
	a.requestAPI(t, http.MethodPost, "/calls/"+id+"/hangup", nil).wantStatus(t, 202)
	p.WaitText("#state", "Ended by staff")
	page := p.ElementText("main")
	for text, n := range map[string]int{
		"Staff took the conversation over": 2, "Handed back to the platform": 1, "Taken over in the console": 2, "user:": 0,
	} {
		if got := strings.Count(page, text); got != n {
			t.Errorf("%q is shown %d times, want %d: %s", text, got, n, page)
		}
	}
}

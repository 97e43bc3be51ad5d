package whole_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

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
	const step = `document.querySelector("#take-over select").checkVisibility()`
	p.WaitFor("!" + step) // where the dialogue goes on is no question yet
	p.ClickElement("#take-over button")
	p.WaitText("#take-over [role=status]", "You are talking with the customer.")
	p.WaitFor(step)
	p.WaitVisible("#staff-on")
	p.CheckAccessibility()
	p.ClickElement("#take-over button")
	p.WaitText("#take-over [role=status]", "The platform goes on.")
	p.WaitFor(`document.querySelector("#staff-on").hidden`)
	p.ClickElement("#take-over button")
	p.WaitText("#take-over [role=status]", "You are talking with the customer.")
	a.requestAPI(t, http.MethodPost, "/calls/"+id+"/hangup", nil).wantStatus(t, 202)
	p.WaitText("#state", "Ended by staff")
	for _, shown := range []struct {
		text string
		n    int
	}{{"Staff took the conversation over", 2}, {"Taken over in the console", 2}, {"Handed back to the platform", 1}, {"user:", 0}} {
		p.WaitFor(fmt.Sprintf(`document.querySelector("main").innerText.split(%q).length - 1 === %d`, shown.text, shown.n))
	}
}

// TestTakeOverOfTwoOperators checks with a tone as microphone that it is the platform's side of the recording from the
// click on; that a second operator is refused meanwhile, and can take the call when the first one's connection is gone,
// and hands it back to a step.
func TestTakeOverOfTwoOperators(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("a long form: it takes a minute in real time")
	}
	takeSoundSlot(t)
	b := toneMicrophone(t)
	a := startInstance(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + livePassword}})
	id := a.bookCall(t, simulatedNumber("08"), "restaurant_order", nil).textAt("id")
	page := "/console/calls/" + id
	first, second := signedIn(t, b, a, page), signedIn(t, b, a, page)
	second.ExpectText("Unexpected response code: 409") // of the refused one
	first.WaitVisible(".bubble.assistant .word")
	clicked := browsertest.EvalExpression[float64](first, `Date.now()`)
	first.ClickElement("#take-over button")
	first.WaitText("#take-over [role=status]", "You are talking with the customer.")
	second.WaitText("#staff-on", "Staff is on the line")
	second.WaitVisible("#staff-on")
	second.ClickElement("#take-over button")
	second.WaitText("#take-over [role=status]", "can't be taken over")
	first.NavigateTo(a.URL + "/console") // the connection is gone
	first.NavigateTo(a.URL + page)
	first.WaitText("main", "Handed back to the platform")
	second.WaitFor(`document.querySelector("#staff-on").hidden`)
	second.ClickElement("#take-over button")
	second.WaitText("#take-over [role=status]", "You are talking with the customer.")
	second.RunScript(`(s => { s.selectedIndex = s.options.length - 1 })(document.querySelector("#take-over select"))`)
	second.ClickElement("#take-over button")
	second.WaitText("#take-over [role=status]", "The platform goes on.")
	a.requestAPI(t, http.MethodPost, "/calls/"+id+"/hangup", nil)
	c := a.awaitEnded(t, id)
	_, sound := checkPlayable(t, a, c)
	answered, err := time.Parse(time.RFC3339, c.textAt("started_at"))
	mustSucceed(t, err)
	spoke := slices.Index(toneWindows(sound, personTone)[1], true)
	if spoke < 0 {
		t.Fatal("the microphone is not on the platform's side of the recording")
	}
	after := float64(spoke)*toneWindow - (clicked-float64(answered.UnixMilli()))/1000
	t.Logf("the microphone is the platform's side %.1f s after the click", after)
	if after < -toneWindow {
		t.Errorf("the microphone was heard %.1f s before the click", -after)
	}
}

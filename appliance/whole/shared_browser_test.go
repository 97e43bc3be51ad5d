package whole_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/demo/browsertest"
)

// countsSound makes a page count the played chunks of audio that are not silent.
const countsSound = `(() => {
	window.sounded = 0;
	const start = AudioBufferSourceNode.prototype.start;
	AudioBufferSourceNode.prototype.start = function (...at) {
		if (this.buffer.getChannelData(1).some((x) => Math.abs(x) > 0.01)) window.sounded++;
		return start.apply(this, at);
	};
})()`

// TestSharedBrowser checks in a browser at one appliance that the page of a call on the other shows words live, plays
// its audio and becomes the record; that the wall does so too; and that the system page lists both appliances, also one
// that died, in both languages and at telephone width.
func TestSharedBrowser(t *testing.T) {
	t.Parallel()
	p := startPair(t, "--time-scale", "1")
	owner, other := p.a, p.b
	page := signInAs(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), other, adminPassword, "en", browsertest.PageView{})
	begin := func(number string) string { // a campaign runs on the appliance that created it
		c := owner.campaignOfOne(t, "restaurant_order", number)
		return owner.awaitCall(t, c, isUp).textAt("id")
	}
	id := begin(simulatedNumber("05"))
	page.NavigateTo(other.URL + "/console/calls/" + id)
	page.WaitVisible(".bubble.assistant .word")
	page.RunScript(countsSound)
	page.ClickElement("#listen")
	page.WaitFor(`window.sounded > 2`)
	before := browsertest.EvalExpression[int](page, `document.querySelectorAll(".bubble").length`)
	page.WaitFor(fmt.Sprintf(`document.querySelectorAll(".bubble").length > %d`, before))
	owner.requestAPI(t, "POST", "/calls/"+id+"/hangup", nil)
	// The record appears without a reload; without a bucket the recording is only on the other appliance.
	page.WaitText(".call-stage", "is on the appliance that made the call")

	page.NavigateTo(other.URL + "/console/calls/wall")
	id = begin(simulatedNumber("06"))
	page.WaitVisible(`.wall-card[data-id="` + id + `"] .wall-turn`)
	page.RunScript(countsSound)
	page.ClickElement(`.wall-card[data-id="` + id + `"] [data-listen]`)
	page.WaitFor(`window.sounded > 2`)

	for lang, state := range map[string]string{"en": "working", "ar": "يعمل"} {
		// an appliance on a busy machine may be late with its sign of life
		for until := time.Now().Add(patience); ; time.Sleep(time.Second) {
			page.NavigateTo(other.URL + "/console/system?lang=" + lang)
			page.WaitVisible("#appliances")
			text := page.ElementText("#appliances")
			if strings.Count(text, state) == 2 {
				break
			}
			if time.Now().After(until) {
				t.Fatalf("in %s the list of appliances is %q", lang, text)
			}
		}
		lookAtAppliances(t, page, "appliances-"+lang)
	}
	owner.killProcess(t)
	page.ReloadPage()
	until := time.Now().Add(2 * patience)
	for !strings.Contains(page.ElementText("#appliances"), "منقطع") {
		if time.Now().After(until) {
			t.Fatal("the appliance that died is not listed as such")
		}
		time.Sleep(time.Second)
		page.NavigateTo(other.URL + "/console/system?lang=ar")
	}
	lookAtAppliances(t, page, "appliances-died")
}

// lookAtAppliances checks the list of appliances at telephone and desktop width in both themes: nothing is wider than
// the page. Screenshots are saved in the folder MUNADI_LOOK.
func lookAtAppliances(t *testing.T, p *browsertest.BrowserPage, name string) {
	t.Helper()
	for _, v := range []browsertest.PageView{{Width: 360, Height: 800}, {Width: 360, Height: 800, Dark: true}, {}, {Dark: true}} {
		p.SetView(v)
		p.RunScript(`document.querySelector("#appliances").scrollIntoView()`)
		if browsertest.EvalExpression[bool](p, `document.documentElement.scrollWidth > document.documentElement.clientWidth`) {
			t.Errorf("%s: the page is wider than a screen of %d", name, v.Width)
		}
		p.CheckAccessibility()
		if shots := os.Getenv("MUNADI_LOOK"); shots != "" {
			mustSucceed(t, os.MkdirAll(shots, 0o750))
			p.SaveViewport(filepath.Join(shots, fmt.Sprintf("%s-%d-%t.png", name, v.Width, v.Dark)))
		}
	}
}

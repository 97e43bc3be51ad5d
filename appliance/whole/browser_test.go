package whole_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/demo/browsertest"
)

// openDemo opens the demo page and enters the API key.
func openDemo(t *testing.T, a *testInstance, o browsertest.BrowserOptions) *browsertest.BrowserPage {
	t.Helper()
	p := browsertest.StartBrowser(t, o).OpenPage(t, a.URL, browsertest.PageView{})
	p.TypeText("#key", bootstrapKey)
	p.PressKeys(kb.Enter)
	return p
}

// TestDemoPage checks that an uploaded file is transcribed as a stream, that a segment is played, and that three
// results are compared.
func TestDemoPage(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	text, _ := a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac"))).wantStatus(t, 200).jsonBody(t)["text"].(string)
	p := openDemo(t, a, browsertest.BrowserOptions{})
	p.UploadFiles("#file", projectPath(t, "assets/web/samples/order.flac"))
	p.WaitVisible("#player")
	p.WaitFor(`document.querySelector("#stage").dataset.state === "done"`)
	if got := strings.TrimSpace(p.ElementText("#text")); got != text {
		t.Errorf("the page says %q, the service %q", got, text)
	}
	bands := browsertest.EvalExpression[int](p, `document.querySelectorAll(".band").length`)
	if bands < 4 || bands != browsertest.EvalExpression[int](p, `document.querySelectorAll(".segment").length`) {
		t.Errorf("%d segments on the waveform", bands)
	}
	p.ClickElement(".segment:nth-child(2) .segment-play")
	p.WaitFor(`document.querySelector(".segment:nth-child(2)").hasAttribute("data-now")`)
	p.WaitFor(`document.querySelector("#audio").paused`)
	if at := browsertest.EvalExpression[float64](p, `document.querySelector("#audio").currentTime`); at < 1 || at > 12 {
		t.Errorf("the second segment stopped at %v s", at)
	}
	p.ClickElement("#compare-run")
	p.WaitFor(`document.querySelectorAll(".reading").length >= 12`)
	if n := browsertest.EvalExpression[int](p, `document.querySelectorAll(".reading").length`); n%3 != 0 {
		t.Errorf("%d readings of %d segments, three for each", n, bands)
	}
}

// TestDemoMicrophone checks that speech into the microphone is transcribed.
func TestDemoMicrophone(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	a := sharedInstance(t)
	said := append(append(silentSeconds(1.5), recordingSamples(t, demoSample(t, "time.flac"))...), silentSeconds(10)...)
	recording := filepath.Join(t.TempDir(), "said.wav")
	mustSucceed(t, os.WriteFile(recording, encodeWAV(t, said), 0o600))
	p := openDemo(t, a, browsertest.BrowserOptions{Microphone: recording})
	p.ClickElement("#record")
	p.WaitText("#timer", "0:05")
	p.ClickElement("#record")
	p.WaitVisible("#player")
	p.WaitFor(`document.querySelector("#stage").dataset.state === "done"`)
	if got := strings.TrimSpace(p.ElementText("#text")); got != timeText {
		t.Errorf("heard %q, said %q", got, timeText)
	}
}

// TestDemoWrongKey checks that the page explains a refused key and does not store it.
func TestDemoWrongKey(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, a.URL+"/?lang=en", browsertest.PageView{})
	p.ExpectStatuses(401)
	p.TypeText("#key", "a-key-of-nobody-at-all")
	p.PressKeys(kb.Enter)
	p.UploadFiles("#file", projectPath(t, "assets/web/samples/confirm.flac"))
	p.WaitText("#notice-title", "key")
	p.ReloadPage()
	p.WaitVisible("#key") // the form for the key is shown again
}

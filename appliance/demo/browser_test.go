package demo_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/demo/browsertest"
)

const orderClip = "../../assets/web/samples/order.flac"

func clipFile(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(orderClip)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// giveKey enters the API key.
func giveKey(p *browsertest.BrowserPage, key string) {
	p.TypeText("#key", key)
	p.PressKeys(kb.Enter)
}

// openTranscribed opens the demo page and shows a transcript.
func openTranscribed(t *testing.T, b *fakeBackend, path string, v browsertest.PageView) *browsertest.BrowserPage {
	t.Helper()
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, b.URL+path, v)
	giveKey(p, goodKey)
	p.UploadFiles("#file", clipFile(t))
	p.WaitVisible("#player")
	p.WaitFor(`document.querySelector("#stage").dataset.state === "done"`)
	return p
}

func TestUploadStreamsItsText(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	b.gate = make(chan struct{})
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, b.URL, browsertest.PageView{})
	giveKey(p, goodKey)
	p.UploadFiles("#file", clipFile(t))

	segments := fakeTranscript().Segments
	b.gate <- struct{}{}
	p.WaitText("#text", segments[0].Text)
	if got := p.ElementText("#text"); strings.Contains(got, segments[1].Text) {
		t.Fatalf("the text is there before it was decoded: %q", got)
	}
	if state := browsertest.EvalExpression[string](p, `document.querySelector("#stage").dataset.state`); state != "working" {
		t.Errorf("state %q while streaming", state)
	}
	for range len(segments) - 1 {
		b.gate <- struct{}{}
	}
	p.WaitVisible("#player")
	p.WaitFor(`document.querySelector("#stage").dataset.state === "done"`)
	if got := strings.TrimSpace(p.ElementText("#text")); got != fakeTranscript().Text {
		t.Errorf("text %q, want %q", got, fakeTranscript().Text)
	}
	first := b.receivedUploads()[0]
	fields := first.fields
	if fields["channels"] != "mix" || fields["stream"] != "true" || fields["model"] != "svc-stt" || !strings.HasPrefix(first.session, "demo-") {
		t.Errorf("asked with %v, session %q", first.fields, first.session)
	}
}

// TestChannelsEachByItself checks that the channel choice is sent, and that each segment shows its channel and words.
func TestChannelsEachByItself(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, b.URL+"/?lang=en", browsertest.PageView{})
	giveKey(p, goodKey)
	browsertest.EvalExpression[string](p, `document.querySelector("#channels").value = "separate"`)
	p.UploadFiles("#file", clipFile(t))
	p.WaitVisible("#player")
	p.WaitFor(`document.querySelector("#stage").dataset.state === "done"`)
	if got := b.receivedUploads()[0].fields["channels"]; got != "separate" {
		t.Errorf("asked with channels %q", got)
	}
	rows := browsertest.EvalExpression[[]string](p, `[...document.querySelectorAll("#segments > *")].map((row) =>
		row.querySelector(".segment-time").textContent + ": " + row.querySelector(".segment-text").textContent.trim())`)
	if len(rows) != 2 || !strings.HasSuffix(rows[0], "left channel: a b") || !strings.HasSuffix(rows[1], "right channel: c d") {
		t.Errorf("%q", rows)
	}
}

func TestCancelStopsTheStream(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	b.gate = make(chan struct{})
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, b.URL, browsertest.PageView{})
	giveKey(p, goodKey)
	p.UploadFiles("#file", clipFile(t))
	b.gate <- struct{}{}
	p.WaitText("#text", fakeTranscript().Segments[0].Text)
	p.ClickElement("#cancel")
	p.WaitHidden("#cancel")
	p.WaitText("#status", "أُلغي")
	if got := p.ElementText("#text"); !strings.Contains(got, fakeTranscript().Segments[0].Text) {
		t.Errorf("what had come is gone: %q", got)
	}
}

func TestSegmentsCanBeHeard(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	p := openTranscribed(t, b, "/", browsertest.PageView{})
	segments := fakeTranscript().Segments
	if n := browsertest.EvalExpression[int](p, `document.querySelectorAll(".band").length`); n != len(segments) {
		t.Fatalf("%d bands on the waveform, want %d", n, len(segments))
	}

	p.RunScript(`(() => { // slow, so that a busy machine shows each word, and noted, since it shows each for a moment
		document.querySelector("#audio").playbackRate = 0.25;
		window.shown = new Set();
		new MutationObserver((all) => all.forEach(({target}) => target.hasAttribute("data-now") && window.shown.add(target)))
			.observe(document.body, {subtree: true, attributes: true, attributeFilter: ["data-now"]});
	})()`)
	p.ClickElement(".segment:nth-child(4) .segment-play")
	p.WaitFor(`window.shown.has(document.querySelector(".segment:nth-child(4)"))`)
	p.WaitFor(`window.shown.has(document.querySelector(".band:nth-child(4)"))`)
	p.WaitFor(`[...window.shown].some((one) => one.matches("#text .word") && one.textContent === "توصيل")`)
	p.WaitFor(`document.querySelector("#audio").paused`)
	end := segments[3].End
	if at := browsertest.EvalExpression[float64](p, `document.querySelector("#audio").currentTime`); at < end || at > end+0.4 {
		t.Errorf("stopped at %.2f s, the segment ends at %.2f", at, end)
	}

	browsertest.EvalExpression[bool](p, `document.querySelector(".band").focus() || true`)
	p.PressKeys(kb.ArrowRight)
	p.PressKeys(kb.Enter)
	p.WaitFor(`document.querySelector(".segment:nth-child(2)").hasAttribute("data-now")`)

	p.ClickElement("#text .word:nth-of-type(8)")
	p.WaitFor(`document.querySelector(".segment:nth-child(3)").hasAttribute("data-now")`)
}

func TestTimeRunsLeftToRight(t *testing.T) {
	t.Parallel()
	p := openTranscribed(t, newBackend(t), "/", browsertest.PageView{})
	first := browsertest.EvalExpression[float64](p, `document.querySelector(".band").getBoundingClientRect().left`)
	last := browsertest.EvalExpression[float64](p, `document.querySelector(".band:last-child").getBoundingClientRect().left`)
	if first >= last {
		t.Errorf("first segment at %.0f, last at %.0f", first, last)
	}
}

func TestCompareShowsThreeReadings(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	p := openTranscribed(t, b, "/?lang=en", browsertest.PageView{})
	p.ClickElement("#compare-run")
	p.WaitText("#compare-status", "412 ms")
	if n := browsertest.EvalExpression[int](p, `document.querySelectorAll(".reading").length`); n != 18 {
		t.Errorf("%d readings, want three for each of six segments", n)
	}
	if got := p.ElementText(".segment:nth-child(5) .reading:nth-child(2) .differs"); got != "إمارة" {
		t.Errorf("the differing word is %q", got)
	}
	uploads := b.receivedUploads()
	asked := uploads[len(uploads)-1]
	if asked.path != "/debug/decode" || asked.fields["beam_enabled"] != "true" || asked.fields["ctc_weight"] != "0.3" || asked.fields["vad_pad_ms"] != "400" {
		t.Errorf("asked %s with %v", asked.path, asked.fields)
	}
}

func TestDropAndExample(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, b.URL, browsertest.PageView{})
	giveKey(p, goodKey)
	p.DropFile(clipFile(t))
	p.WaitVisible("#player")
	p.ClickElement("[data-sample$='confirm.flac']")
	p.WaitFor(`document.querySelector("#length").textContent.startsWith("0:01")`)
	for i, want := range []string{"order.flac", "confirm.flac"} {
		if got := b.receivedUploads()[i].name; got != want {
			t.Errorf("upload %d is %q, want %q", i, got, want)
		}
	}
}

func TestDownloads(t *testing.T) {
	t.Parallel()
	p := openTranscribed(t, newBackend(t), "/", browsertest.PageView{})
	browsertest.EvalExpression[bool](p, `(() => {
		const before = URL.createObjectURL;
		window.taken = [];
		URL.createObjectURL = (blob) => { window.taken.push(blob); return before(blob); };
		HTMLAnchorElement.prototype.click = function () { window.named = this.download; };
		return true;
	})()`)
	for kind, want := range map[string]string{
		"txt":  fakeTranscript().Text + "\n",
		"srt":  "1\n00:00:00,350 --> 00:00:02,150\nألو السلام عليكم\n\n2\n",
		"vtt":  "WEBVTT\n\n00:00:00.350 --> 00:00:02.150\nألو السلام عليكم\n",
		"json": "\"task\": \"transcribe\"",
	} {
		p.ClickElement("[data-download=" + kind + "]")
		if got := browsertest.EvalExpression[string](p, `window.taken.pop().text()`); !strings.Contains(got, want) {
			t.Errorf("%s: %q lacks %q", kind, got, want)
		}
		if got := browsertest.EvalExpression[string](p, `window.named`); got != "order."+kind {
			t.Errorf("%s is named %q", kind, got)
		}
	}
}

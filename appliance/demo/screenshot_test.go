package demo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"munadi/appliance/demo/browsertest"
)

// TestScreenshots saves screenshots of every state in the folder MUNADI_SCREENSHOTS; without it the test is skipped.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("MUNADI_SCREENSHOTS")
	if dir == "" {
		t.Skip("MUNADI_SCREENSHOTS names no folder")
	}
	browser := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	for _, lang := range []string{"ar", "en"} {
		for _, view := range []browsertest.PageView{
			{Width: 1440, Height: 900},
			{Width: 1440, Height: 900, Dark: true},
			{Width: 360, Height: 740},
			{Width: 360, Height: 740, Dark: true},
		} {
			scheme := map[bool]string{false: "light", true: "dark"}[view.Dark]
			picture := func(state string) string {
				return filepath.Join(dir, fmt.Sprintf("%s-%s-%s-%d.png", state, lang, scheme, view.Width))
			}
			t.Run(filepath.Base(picture("all")), func(t *testing.T) { takeStates(t, browser, lang, view, picture) })
		}
	}
}

func takeStates(t *testing.T, br *browsertest.TestBrowser, lang string, v browsertest.PageView, picture func(string) string) {
	b := newBackend(t)
	b.gate = make(chan struct{})
	p := br.OpenPage(t, b.URL+"/?lang="+lang, v)
	p.SaveFullPage(picture("1-empty"))
	p.ExpectStatuses(401)
	giveKey(p, "wrong key")
	p.UploadFiles("#file", clipFile(t))
	p.WaitVisible("#notice")
	p.SaveFullPage(picture("2-error"))

	p.RunScript(`document.querySelector("#key").value = ""`)
	giveKey(p, goodKey)
	p.UploadFiles("#file", clipFile(t))
	for range 3 {
		b.gate <- struct{}{}
	}
	p.WaitText("#text", fakeTranscript().Segments[2].Text)
	p.SaveFullPage(picture("3-streaming"))
	close(b.gate)
	p.WaitFor(`document.querySelector("#stage").dataset.state === "done"`)
	p.ClickElement(".segment:nth-child(5) .segment-play")
	p.WaitFor(`document.querySelector("#audio").currentTime > 10.5`)
	p.RunScript(`document.querySelector("#audio").pause()`)
	p.RunScript(`scrollTo(0, 0)`)
	p.SaveFullPage(picture("4-result"))
	p.ClickElement("#compare-run")
	p.WaitText("#compare-status", "412")
	p.SaveFullPage(picture("5-compare"))
}

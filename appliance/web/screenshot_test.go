package web_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"munadi/appliance/web/browsertest"
)

// TestScreenshots takes pictures of every state for people to look at; it runs only where MUNADI_SCREENSHOTS names a
// folder for them.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("MUNADI_SCREENSHOTS")
	if dir == "" {
		t.Skip("MUNADI_SCREENSHOTS names no folder")
	}
	browser := browsertest.New(t, browsertest.Options{})
	for _, lang := range []string{"ar", "en"} {
		for _, view := range []browsertest.View{
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

func takeStates(t *testing.T, br *browsertest.Browser, lang string, v browsertest.View, picture func(string) string) {
	b := newBackend(t)
	b.gate = make(chan struct{})
	p := br.Open(t, b.URL+"/?lang="+lang, v)
	p.Screenshot(picture("1-empty"))
	p.Expect(401)
	giveKey(p, "wrong key")
	p.Upload("#file", clip(t))
	p.WaitVisible("#notice")
	p.Screenshot(picture("2-error"))

	p.Eval(`document.querySelector("#key").value = ""`)
	giveKey(p, goodKey)
	p.Upload("#file", clip(t))
	for range 3 {
		b.gate <- struct{}{}
	}
	p.WaitText("#text", transcript().Segments[2].Text)
	p.Screenshot(picture("3-streaming"))
	close(b.gate)
	p.WaitFor(`document.querySelector("#stage").dataset.state === "done"`)
	p.Click(".segment:nth-child(5) .segment-play")
	p.WaitFor(`document.querySelector("#audio").currentTime > 10.5`)
	p.Eval(`document.querySelector("#audio").pause()`)
	p.Eval(`scrollTo(0, 0)`)
	p.Screenshot(picture("4-result"))
	p.Click("#compare-run")
	p.WaitText("#compare-status", "412")
	p.Screenshot(picture("5-compare"))
}

package web_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/web/browsertest"
)

func TestLanguageSwitch(t *testing.T) {
	t.Parallel()
	p := browsertest.New(t, browsertest.Options{}).Open(t, newBackend(t).URL, browsertest.View{})
	p.WaitText("h1", "تكلّم بالعربية")
	p.Click(".language")
	p.WaitText("h1", "Speak Arabic")
	p.WaitFor(`document.documentElement.dir === "ltr" && document.documentElement.lang === "en"`)
	browsertest.Eval[bool](p, "window.left = true")
	p.Click(".brand")
	p.WaitFor("!window.left")
	p.WaitText("h1", "Speak Arabic")
	p.Click(".language")
	p.WaitText("h1", "تكلّم بالعربية")
	p.WaitFor(`document.documentElement.dir === "rtl"`)
}

func TestAppearanceSwitch(t *testing.T) {
	t.Parallel()
	p := browsertest.New(t, browsertest.Options{}).Open(t, newBackend(t).URL, browsertest.View{})
	const background = `getComputedStyle(document.documentElement).backgroundColor`
	light := browsertest.Eval[string](p, background)
	p.Click("#theme")
	dark := browsertest.Eval[string](p, background)
	if light == dark {
		t.Fatalf("the background stays %s", light)
	}
	p.Reload()
	if got := browsertest.Eval[string](p, background); got != dark {
		t.Errorf("after a reload the background is %s, want %s", got, dark)
	}
	p.Look(browsertest.View{Dark: true})
	p.Click("#theme")
	if got := browsertest.Eval[string](p, background); got != light {
		t.Errorf("light on a dark system is %s, want %s", got, light)
	}
}

func TestKeyStaysInItsTab(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	browser := browsertest.New(t, browsertest.Options{})
	p := browser.Open(t, b.URL, browsertest.View{})
	giveKey(p, goodKey)
	p.WaitHidden("#key")
	p.Reload()
	p.WaitVisible("#key-change")
	p.WaitText("#key-tail", "cdef")
	kept := browsertest.Eval[string](p, `JSON.stringify({...localStorage}) + document.cookie + location.href`)
	if strings.Contains(kept, goodKey) {
		t.Errorf("kept outside the tab: %s", kept)
	}
	browser.Open(t, b.URL, browsertest.View{}).WaitVisible("#key")
	p.Click("#key-forget")
	p.WaitVisible("#key")
	p.Reload()
	p.WaitVisible("#key")
}

func TestAccessibility(t *testing.T) {
	t.Parallel()
	browser := browsertest.New(t, browsertest.Options{})
	for _, lang := range []string{"ar", "en"} {
		for _, view := range []browsertest.View{{}, {Width: 360, Height: 740, Dark: true}} {
			t.Run(lang, func(t *testing.T) {
				b := newBackend(t)
				p := browser.Open(t, b.URL+"/?lang="+lang, view)
				p.Click("#code summary")
				p.Click(".options summary")
				p.CheckAccess()
				p.Click("#record")
				p.WaitVisible("#notice")
				p.CheckAccess()
				giveKey(p, goodKey)
				p.Upload("#file", clip(t))
				p.WaitFor(`document.querySelector("#stage").dataset.state === "done"`)
				p.Click("#compare-run")
				p.WaitText("#compare-status", "412")
				p.CheckAccess()
				overflow := `document.documentElement.scrollWidth - document.documentElement.clientWidth`
				if n := browsertest.Eval[int](p, overflow); n > 0 {
					t.Errorf("the page is %d px wider than the window", n)
				}
			})
		}
	}
}

func TestWithoutScriptsThePageExplainsItself(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	p := browsertest.New(t, browsertest.Options{}).Open(t, b.URL, browsertest.View{NoScript: true})
	p.WaitText(".no-script", "Authorization")
	p.WaitText(".no-script pre", b.URL+"/compat/v1/audio/transcriptions")
	p.WaitHidden("#record")
	p.WaitHidden("#stage")
	if dir := os.Getenv("MUNADI_SCREENSHOTS"); dir != "" {
		p.Screenshot(filepath.Join(dir, "0-noscript.png"))
	}
	p.Click("#theme")
	p.WaitFor(`document.documentElement.dataset.theme === "dark"`)
	p.Click(".language")
	p.WaitText(".no-script", "command line")
}

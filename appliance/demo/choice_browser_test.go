package demo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/demo/browsertest"
)

func TestLanguageSwitch(t *testing.T) {
	t.Parallel()
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, newBackend(t).URL, browsertest.PageView{})
	p.WaitText("h1", "تكلّم بالعربية")
	p.ClickElement(".language")
	p.WaitText("h1", "Speak Arabic")
	p.WaitFor(`document.documentElement.dir === "ltr" && document.documentElement.lang === "en"`)
	browsertest.EvalExpression[bool](p, "window.left = true")
	p.ClickElement(".brand")
	p.WaitFor("!window.left")
	p.WaitText("h1", "Speak Arabic")
	p.ClickElement(".language")
	p.WaitText("h1", "تكلّم بالعربية")
	p.WaitFor(`document.documentElement.dir === "rtl"`)
}

func TestAppearanceSwitch(t *testing.T) {
	t.Parallel()
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, newBackend(t).URL, browsertest.PageView{})
	const background = `getComputedStyle(document.documentElement).backgroundColor`
	light := browsertest.EvalExpression[string](p, background)
	p.ClickElement("#theme")
	dark := browsertest.EvalExpression[string](p, background)
	if light == dark {
		t.Fatalf("the background stays %s", light)
	}
	p.ReloadPage()
	if got := browsertest.EvalExpression[string](p, background); got != dark {
		t.Errorf("after a reload the background is %s, want %s", got, dark)
	}
	p.SetView(browsertest.PageView{Dark: true})
	p.ClickElement("#theme")
	if got := browsertest.EvalExpression[string](p, background); got != light {
		t.Errorf("light on a dark system is %s, want %s", got, light)
	}
}

func TestKeyStaysInItsTab(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	browser := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	p := browser.OpenPage(t, b.URL, browsertest.PageView{})
	giveKey(p, goodKey)
	p.WaitHidden("#key")
	p.ReloadPage()
	p.WaitVisible("#key-change")
	p.WaitText("#key-tail", "cdef")
	kept := browsertest.EvalExpression[string](p, `JSON.stringify({...localStorage}) + document.cookie + location.href`)
	if strings.Contains(kept, goodKey) {
		t.Errorf("kept outside the tab: %s", kept)
	}
	browser.OpenPage(t, b.URL, browsertest.PageView{}).WaitVisible("#key")
	p.ClickElement("#key-forget")
	p.WaitVisible("#key")
	p.ReloadPage()
	p.WaitVisible("#key")
}

// TestWrongKeyIsSaidAtOnce enters a key that is not valid, and then a valid one.
func TestWrongKeyIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, b.URL, browsertest.PageView{})
	p.ExpectStatuses(401)
	giveKey(p, "wrong key")
	p.WaitVisible("#notice")
	p.WaitVisible(`#key[aria-invalid="true"]`)
	giveKey(p, goodKey)
	p.WaitHidden("#key")
	p.WaitHidden("#notice")
}

func TestAccessibility(t *testing.T) {
	t.Parallel()
	browser := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	for _, lang := range []string{"ar", "en"} {
		for _, view := range []browsertest.PageView{{}, {Width: 360, Height: 740, Dark: true}} {
			t.Run(lang, func(t *testing.T) {
				b := newBackend(t)
				p := browser.OpenPage(t, b.URL+"/?lang="+lang, view)
				p.ClickElement("#code summary")
				p.ClickElement(".options summary")
				p.CheckAccessibility()
				p.ClickElement("#record")
				p.WaitVisible("#notice")
				p.CheckAccessibility()
				giveKey(p, goodKey)
				p.UploadFiles("#file", clipFile(t))
				p.WaitFor(`document.querySelector("#stage").dataset.state === "done"`)
				p.ClickElement("#compare-run")
				p.WaitText("#compare-status", "412")
				p.CheckAccessibility()
				overflow := `document.documentElement.scrollWidth - document.documentElement.clientWidth`
				if n := browsertest.EvalExpression[int](p, overflow); n > 0 {
					t.Errorf("the page is %d px wider than the window", n)
				}
			})
		}
	}
}

func TestWithoutScriptsThePageExplainsItself(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, b.URL, browsertest.PageView{NoScript: true})
	p.WaitText(".no-script", "Authorization")
	p.WaitText(".no-script pre", b.URL+"/compat/v1/audio/transcriptions")
	p.WaitHidden("#record")
	p.WaitHidden("#stage")
	if dir := os.Getenv("MUNADI_SCREENSHOTS"); dir != "" {
		p.SaveFullPage(filepath.Join(dir, "0-noscript.png"))
	}
	p.ClickElement("#theme")
	p.WaitFor(`document.documentElement.dataset.theme === "dark"`)
	p.ClickElement(".language")
	p.WaitText(".no-script", "command line")
}

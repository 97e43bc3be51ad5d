package whole_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/demo/browsertest"
)

// TestConsoleWithoutScripts checks in a browser without scripts that every section opens, and that a person can sign
// in, book, find and cancel a call, change a setting and sign out.
func TestConsoleWithoutScripts(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, a.URL+"/console?lang=en", browsertest.PageView{NoScript: true})
	p.RunScript(`document.querySelector("#name").value = "admin"`)
	p.TypeText("#password", nightShift)
	p.PressKeys(kb.Enter)
	p.WaitVisible("nav.sections")
	for _, section := range linksOf(p, "nav.sections a") {
		p.NavigateTo(a.URL + section)
		if code := browsertest.EvalExpression[int](p, status); code != 200 {
			t.Errorf("%s answers %d", section, code)
		}
		if browsertest.EvalExpression[string](p, `document.querySelector("main h1").innerText`) == "" {
			t.Errorf("%s says nothing", section)
		}
	}
	p.SetView(browsertest.PageView{Width: 360, Height: 800, NoScript: true})
	for _, section := range linksOf(p, "nav.sections a") {
		p.NavigateTo(a.URL + section)
		if over := browsertest.EvalExpression[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s is %d pixels wider than a telephone", section, over)
		}
	}
	p.SetView(browsertest.PageView{NoScript: true})
	bookPlainly(p, a)
	p.NavigateTo(a.URL + "/console/calls?status=scheduled")
	p.WaitText("#calls", simulatedNumber("21"))
	p.SetView(browsertest.PageView{Width: 360, Height: 800, NoScript: true})
	p.WaitFor(`Array.from(document.querySelectorAll("#calls thead th")).every((th) => th.offsetHeight > 20)`)
	p.WaitFor(`document.documentElement.scrollWidth === innerWidth`)
	p.SetView(browsertest.PageView{NoScript: true})
	p.ClickElement("#calls tbody th a, #calls tbody td a")
	p.WaitVisible(`a[href*="/calls/cancel"]`)
	p.ClickElement(`a[href*="/calls/cancel"]`)
	p.WaitVisible(".confirm .danger")
	p.ClickElement(".confirm .danger")
	p.WaitText(".flash:not(.alert-banner)", "cancelled")

	p.NavigateTo(a.URL + "/console/webhook")
	p.TypeText("#f-url", "http://127.0.0.1:9/hook")
	p.PressKeys(kb.Enter)
	p.WaitVisible(".flash:not(.alert-banner)")
	if got := browsertest.EvalExpression[string](p, `document.querySelector("#f-url").value`); got != "http://127.0.0.1:9/hook" {
		t.Errorf("the address is %q", got)
	}
	p.ClickElement(".sign-out button")
	p.WaitVisible("#password")
}

// bookPlainly books a call for the day after tomorrow in the form.
func bookPlainly(p *browsertest.BrowserPage, a *testInstance) {
	p.NavigateTo(a.URL + "/console/calls/new?scenario=restaurant_order")
	p.TypeText("#number", simulatedNumber("21"))
	p.TypeText("#var-total", "75")
	p.ClickElement("input[name=when][value=at]")
	latest := browsertest.EvalExpression[string](p, `document.querySelector("input[name=at]").max`)
	p.RunScript(`document.querySelector("input[name=at]").value = "` + latest + `"`)
	p.ClickElement("form.stack button.primary")
	p.WaitVisible("#call")
}

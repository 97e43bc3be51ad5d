package whole_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/web/browsertest"
)

// TestConsoleWithoutScripts: in a browser that runs none, every section opens, and a person signs in, books a call, finds it
// again, cancels it, changes a setting and signs out.
func TestConsoleWithoutScripts(t *testing.T) {
	t.Parallel()
	a := operated(t)
	p := browsertest.New(t, browsertest.Options{}).Open(t, a.URL+"/console?lang=en", browsertest.View{NoScript: true})
	p.Eval(`document.querySelector("#name").value = "admin"`)
	p.Type("#password", nightShift)
	p.Press(kb.Enter)
	p.WaitVisible("nav.sections")
	for _, section := range linksOf(p, "nav.sections a") {
		p.Go(a.URL + section)
		if code := browsertest.Eval[int](p, status); code != 200 {
			t.Errorf("%s answers %d", section, code)
		}
		if browsertest.Eval[string](p, `document.querySelector("main h1").innerText`) == "" {
			t.Errorf("%s says nothing", section)
		}
	}
	p.Look(browsertest.View{Width: 360, Height: 800, NoScript: true})
	for _, section := range linksOf(p, "nav.sections a") {
		p.Go(a.URL + section)
		if over := browsertest.Eval[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s is %d pixels wider than a telephone", section, over)
		}
	}
	p.Look(browsertest.View{NoScript: true})
	bookPlainly(p, a)
	p.Go(a.URL + "/console/calls?status=scheduled")
	p.WaitText("#calls", simulated("21"))
	p.Look(browsertest.View{Width: 360, Height: 800, NoScript: true})
	p.WaitFor(`Array.from(document.querySelectorAll("#calls thead th")).every((th) => th.offsetHeight > 20)`)
	p.WaitFor(`document.documentElement.scrollWidth === innerWidth`)
	p.Look(browsertest.View{NoScript: true})
	p.Click("#calls tbody th a, #calls tbody td a")
	p.WaitVisible(`a[href*="/calls/cancel"]`)
	p.Click(`a[href*="/calls/cancel"]`)
	p.WaitVisible(".confirm .danger")
	p.Click(".confirm .danger")
	p.WaitText(".flash", "cancelled")

	p.Go(a.URL + "/console/webhook")
	p.Type("#url", "http://127.0.0.1:9/hook")
	p.Press(kb.Enter)
	p.WaitVisible(".flash")
	if got := browsertest.Eval[string](p, `document.querySelector("#url").value`); got != "http://127.0.0.1:9/hook" {
		t.Errorf("the address is %q", got)
	}
	p.Click(".sign-out button")
	p.WaitVisible("#password")
}

// bookPlainly books a call for the day after tomorrow in the form.
func bookPlainly(p *browsertest.Page, a *instance) {
	p.Go(a.URL + "/console/calls/new?scenario=restaurant_order")
	p.Type("#number", simulated("21"))
	p.Click("input[name=when][value=at]")
	latest := browsertest.Eval[string](p, `document.querySelector("input[name=at]").max`)
	p.Eval(`document.querySelector("input[name=at]").value = "` + latest + `"`)
	p.Click("form.stack button.primary")
	p.WaitVisible("#call")
}

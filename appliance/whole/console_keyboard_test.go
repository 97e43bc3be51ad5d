package whole_test

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/demo/browsertest"
)

// mostTabs is the largest number of presses of Tab to reach an element.
const mostTabs = 60

// tabTo presses Tab until an element has the focus; each focused element on the way must show its focus.
func tabTo(t *testing.T, p *browsertest.BrowserPage, css string) {
	t.Helper()
	// the parts of date and time fields show their focus themselves
	const seen = `(() => { const at = document.activeElement, s = getComputedStyle(at);
		return at === document.body || at.matches("input[type^=date], input[type=time]") || s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0 })()`
	for range mostTabs {
		if browsertest.EvalExpression[bool](p, `Boolean(document.activeElement?.matches(`+"`"+css+"`"+`))`) {
			return
		}
		p.PressKeys(kb.Tab)
		if !browsertest.EvalExpression[bool](p, seen) {
			t.Errorf("no focus is seen on %s", browsertest.EvalExpression[string](p, `document.activeElement.outerHTML.slice(0, 200)`))
		}
	}
	t.Fatalf("%d times Tab do not lead to %s", mostTabs, css)
}

// TestKeyboardAlone signs in, books a call for another day and cancels it without a mouse.
func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{}).OpenPage(t, a.URL+"/console?lang=en", browsertest.PageView{})
	p.WaitVisible("#password")
	p.RunScript(`document.querySelector("#name").value = ""`)
	tabTo(t, p, "#name")
	p.PressKeys("admin")
	tabTo(t, p, "#password")
	p.PressKeys(nightShift)
	p.PressKeys(kb.Enter)
	p.WaitVisible("nav.sections")

	p.PressKeys(kb.Tab)
	tabTo(t, p, ".skip")
	tabTo(t, p, `nav.sections a[href="/console/calls"]`)
	p.PressKeys(kb.Enter)
	p.WaitVisible("#calls")
	tabTo(t, p, `.page-head a[href="/console/calls/new"]`)
	p.PressKeys(kb.Enter)
	p.WaitVisible("#number")
	tabTo(t, p, "#number")
	p.PressKeys(simulatedNumber("31"))
	tabTo(t, p, "input[name=when]")
	p.PressKeys(kb.ArrowDown)
	tabTo(t, p, "input[name=at]")
	p.PressKeys(time.Now().UTC().Add(48*time.Hour).Format("01022006") + "1030AM")
	p.ExpectStatuses(422)
	tabTo(t, p, "form.stack button.primary")
	p.PressKeys(kb.Enter)
	p.WaitVisible("[name=confirm]") // the appointment's values are missing
	tabTo(t, p, "[name=confirm]")
	p.PressKeys(" ")
	tabTo(t, p, "form.stack button.primary")
	p.PressKeys(kb.Enter)
	p.WaitVisible("#call")
	p.WaitText("#state", "Scheduled")
	tabTo(t, p, `a[href*="/calls/cancel"]`)
	p.PressKeys(kb.Enter)
	p.WaitVisible(".confirm .danger")
	tabTo(t, p, ".confirm .danger")
	p.PressKeys(kb.Enter)
	p.WaitText(".flash:not(.alert-banner)", "cancelled")
}

// TestFocusIsNotCovered checks that at telephone width the page's bars do not cover the focused element.
func TestFocusIsNotCovered(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "ar", browsertest.PageView{Width: 360, Height: 740})
	p.NavigateTo(a.URL + "/console/rules")
	const covered = `(() => {
		const at = document.activeElement, box = at.getBoundingClientRect();
		const bars = [document.querySelector("nav.sections"), document.querySelector(".console-top")];
		if (at === document.body || bars.some((bar) => bar.contains(at)) || at.matches(".skip")) return "";
		const [below, above] = bars.map((bar) => bar.getBoundingClientRect());
		const end = at.matches("textarea") ? box.top + 24 : box.bottom; // for a text area its first line, where browsers show the caret
		return end > below.top || box.top < above.bottom ? at.outerHTML.slice(0, 200) : "";
	})()`
	for range mostTabs {
		p.PressKeys(kb.Tab)
		if got := browsertest.EvalExpression[string](p, covered); got != "" {
			t.Fatalf("a bar covers what has the focus: %s", got)
		}
	}
}

package whole_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/demo/browsertest"
)

// startWatchedConsole starts an appliance whose calls are slow enough to be watched, and signs in.
func startWatchedConsole(t *testing.T, lang string) (*testInstance, *browsertest.BrowserPage) {
	t.Helper()
	a := startInstance(t, instanceSettings{
		args: []string{"--time-scale", "1"}, env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift},
	})
	return a, signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, lang, browsertest.PageView{})
}

// TestScheduleAndWatchACall books a call in the form and checks that its page shows words, audio and answers live, and
// then the record, whose words can be played.
func TestScheduleAndWatchACall(t *testing.T) {
	t.Parallel()
	a, p := startWatchedConsole(t, "en")
	p.NavigateTo(a.URL + "/console/calls")
	p.WaitText("#calls", "No calls yet")
	p.ClickElement(".page-head .button.primary")
	p.WaitVisible("#number")
	p.NavigateTo(a.URL + "/console/calls/new?scenario=restaurant_order")
	p.CheckAccessibility()
	p.TypeText("#number", simulatedNumber("07"))
	p.ExpectStatuses(422)
	p.ClickElement("form.stack button.primary")
	p.WaitVisible("[name=confirm]") // the total is spoken and missing
	p.CheckAccessibility()
	p.TypeText("#var-total", "75")
	p.ClickElement("form.stack button.primary")
	p.WaitVisible("#call[data-live]")
	p.WaitVisible(".bubble.assistant .word")
	p.WaitVisible("#listen")
	p.ClickElement("#listen")
	p.WaitFor(`document.querySelector("#listen").getAttribute("aria-pressed") === "true"`)
	p.WaitText("#state", "On the line")
	p.WaitFor(`!["0:00", ""].includes(document.querySelector("#clock").innerText)`)
	p.WaitVisible(".bubble.user.found")
	p.WaitVisible("#slots dd")
	p.CheckAccessibility()
	p.WaitVisible(".audio-bar")
	p.WaitText("#state", "Completed")
	p.CheckAccessibility()
	p.ClickElement(".bubble.user .word")
	p.WaitFor(`document.querySelector(".word[data-now]")`)
	if at := browsertest.EvalExpression[float64](p, `document.querySelector("#audio").currentTime`); at == 0 {
		t.Error("a click on a word plays nothing")
	}
	p.RunScript(`document.activeElement.blur()`)
	p.PressKeys("]")
	p.WaitFor(`document.querySelector("#audio").playbackRate === 1.25`)
	if paper := p.PrintPage(); paper.Sheets != 1 {
		t.Errorf("the call is printed on %d sheets", paper.Sheets)
	}
	id := browsertest.EvalExpression[string](p, `location.pathname.split("/").pop()`)
	if got := a.fetchCall(t, id).textAt("status"); got != "completed" {
		t.Errorf("the call is %s", got)
	}
	p.NavigateTo(a.URL + "/console/system")
	if got := p.ElementText("main"); !strings.Contains(got, "the speed of speech") {
		t.Errorf("what was just heard does not count: %s", got)
	}
}

// TestHangUpFromThePage checks that the page asks for confirmation, and that the call ends.
func TestHangUpFromThePage(t *testing.T) {
	t.Parallel()
	a, p := startWatchedConsole(t, "ar")
	id := a.bookCall(t, simulatedNumber("08"), "restaurant_order", nil).textAt("id")
	p.NavigateTo(a.URL + "/console/calls/" + id)
	p.WaitVisible(".bubble.assistant .word")
	p.ClickElement(`[data-dialog="hangup"]`)
	p.WaitVisible("#hangup")
	p.ClickElement("#hangup button.danger")
	p.WaitText("main", "أنهاها موظف")
	if got := a.fetchCall(t, id).textAt("ended_by"); got != "operator" {
		t.Errorf("the call ended by %q", got)
	}
}

// TestCancelARetry opens the next attempt of a failed call and cancels it after a confirmation.
func TestCancelARetry(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "en", browsertest.PageView{})
	id := a.bookCall(t, simulatedNumber("90"), "restaurant_order", jsonObject{"retry": jsonObject{"max_attempts": 3}}).textAt("id")
	next := a.awaitEnded(t, id).textAt("next_call_id")
	p.NavigateTo(a.URL + "/console/calls/" + id)
	p.ClickElement(`.chain a[href$="` + next + `"]`)
	p.WaitVisible(`a[href*="/calls/cancel"]`)
	p.ClickElement(`a[href*="/calls/cancel"]`)
	p.WaitVisible(".confirm .danger")
	p.CheckAccessibility()
	p.ClickElement(".confirm .danger")
	p.WaitText(".flash:not(.alert-banner)", "cancelled")
	if got := a.fetchCall(t, next).textAt("status"); got != "cancelled" {
		t.Errorf("the retry is %s", got)
	}
	if got := a.fetchCall(t, id)["next_retry_at"]; got != nil {
		t.Errorf("the previous attempt still has a plan: %v", got)
	}
}

// TestKeysInTheList checks that the keyboard moves through the list of calls, selects a call and opens it.
func TestKeysInTheList(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "en", browsertest.PageView{})
	a.bookCall(t, simulatedNumber("11"), "restaurant_order", jsonObject{"scheduled_at": timeFromNow(48 * time.Hour)})
	p.NavigateTo(a.URL + "/console/calls?status=scheduled")
	p.WaitText("#calls", simulatedNumber("11"))
	p.PressKeys("j")
	p.PressKeys("x")
	p.WaitFor(`document.querySelector("tr[data-cursor] input:checked")`)
	p.PressKeys(kb.Enter)
	p.WaitVisible(`a[href*="/calls/cancel"]`)
}

// TestBulkChangeIsFollowed checks that the page of a bulk change counts down and shows its end without a reload.
func TestBulkChangeIsFollowed(t *testing.T) {
	t.Parallel()
	a, p := startWatchedConsole(t, "en")
	id := a.bookLater(t, bulkCalls)
	p.NavigateTo(a.URL + "/console/calls/bulk?campaign=" + id)
	p.ClickElement(".confirm button.danger")
	p.WaitVisible(`#bulk[data-state="waiting"] form button`)
	p.RunScript(`(() => { // in one piece: the change waits for some seconds only
		const bulk = document.querySelector("#bulk");
		window.same = true;
		bulk.querySelector("form button").focus();
		const look = () => { window.counted ||= /[1-6]/.test(document.querySelector("#bulk button bdi")?.textContent); };
		look();
		new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true});
	})()`)
	p.CheckAccessibility()
	p.WaitFor(`window.counted`)
	p.WaitFor(`document.querySelector("#bulk").dataset.state === "done"`)
	p.CheckAccessibility()
	if !browsertest.EvalExpression[bool](p, `window.same === true && document.activeElement.matches("#bulk a")`) {
		t.Error("the page was loaded again, or the focus is lost")
	}
	if got := p.ElementText("#bulk [role=status]"); !strings.Contains(got, "1000") && !strings.Contains(got, "1,000") {
		t.Errorf("the page says %q", got)
	}
}

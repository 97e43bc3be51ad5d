package whole_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/web/browsertest"
)

// watched is an appliance whose calls run slowly enough to be looked at, with somebody signed in.
func watched(t *testing.T, lang string) (*instance, *browsertest.Page) {
	t.Helper()
	a := start(t, settings{
		args: []string{"--time-scale", "2"}, env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift},
	})
	return a, signIn(t, browsertest.New(t, browsertest.Options{}), a, lang, browsertest.View{})
}

// TestScheduleAndWatchACall: a call is booked in the form, its page shows the words, the sound and the answers as they
// come, and becomes the record, whose words can be heard.
func TestScheduleAndWatchACall(t *testing.T) {
	t.Parallel()
	a, p := watched(t, "en")
	p.Go(a.URL + "/console/calls")
	p.WaitText("#calls", "No calls yet")
	p.Click(".page-head .button.primary")
	p.WaitVisible("#number")
	p.Go(a.URL + "/console/calls/new?scenario=restaurant_order")
	p.CheckAccess()
	p.Type("#number", simulated("07"))
	p.Click("form.stack button.primary")
	p.WaitVisible("#call[data-live]")
	p.WaitVisible(".bubble.assistant .word")
	p.WaitVisible("#listen")
	p.Click("#listen")
	p.WaitFor(`document.querySelector("#listen").getAttribute("aria-pressed") === "true"`)
	p.WaitVisible(".bubble.user.found")
	p.WaitVisible("#slots dd")
	p.CheckAccess()
	if got := p.Text("#state"); !strings.Contains(got, "On the line") {
		t.Errorf("the page says %q", got)
	}
	if got := p.Text("#clock"); got == "0:00" || got == "" {
		t.Errorf("the clock stands at %q", got)
	}
	p.WaitVisible("#audio")
	p.WaitText("#state", "Completed")
	p.CheckAccess()
	p.Click(".bubble.user .word")
	p.WaitFor(`document.querySelector(".word[data-now]")`)
	if at := browsertest.Eval[float64](p, `document.querySelector("#audio").currentTime`); at == 0 {
		t.Error("a click on a word plays nothing")
	}
	id := browsertest.Eval[string](p, `location.pathname.split("/").pop()`)
	if got := a.call(t, id).text("status"); got != "completed" {
		t.Errorf("the call is %s", got)
	}
	p.Go(a.URL + "/console")
	if got := p.Text("main"); !strings.Contains(got, "the speed of speech") {
		t.Errorf("what was just heard does not count: %s", got)
	}
}

// TestHangUpFromThePage: the page asks, and the call ends.
func TestHangUpFromThePage(t *testing.T) {
	t.Parallel()
	a, p := watched(t, "ar")
	id := a.book(t, simulated("08"), "restaurant_order", nil).text("id")
	p.Go(a.URL + "/console/calls/" + id)
	p.WaitVisible(".bubble.assistant .word")
	p.Click(`[data-dialog="hangup"]`)
	p.WaitVisible("#hangup")
	p.Click("#hangup button.danger")
	p.WaitText("main", "أنهاها موظف")
	if got := a.call(t, id).text("failure", "reason"); got != "operator" {
		t.Errorf("the call ended by %q", got)
	}
}

// TestCancelARetry: from the attempt that failed to the next one, which is cancelled after a question.
func TestCancelARetry(t *testing.T) {
	t.Parallel()
	a := operated(t)
	p := signIn(t, browsertest.New(t, browsertest.Options{}), a, "en", browsertest.View{})
	id := a.book(t, simulated("90"), "restaurant_order", object{"retry": object{"max_attempts": 3}}).text("id")
	next := a.ended(t, id).text("next_call_id")
	p.Go(a.URL + "/console/calls/" + id)
	p.Click(`.chain a[href$="` + next + `"]`)
	p.WaitVisible(`a[href*="/calls/cancel"]`)
	p.Click(`a[href*="/calls/cancel"]`)
	p.WaitVisible(".confirm .danger")
	p.CheckAccess()
	p.Click(".confirm .danger")
	p.WaitText(".flash", "cancelled")
	if got := a.call(t, next).text("status"); got != "cancelled" {
		t.Errorf("the retry is %s", got)
	}
	if got := a.call(t, id)["next_retry_at"]; got != nil {
		t.Errorf("the attempt before still tells of a plan: %v", got)
	}
}

// TestImportFromThePage: a campaign is checked row by row, what is right in it is booked, and the list has it, where
// the keys lead through it.
func TestImportFromThePage(t *testing.T) {
	t.Parallel()
	a := operated(t)
	p := signIn(t, browsertest.New(t, browsertest.Options{}), a, "en", browsertest.View{Width: 360, Height: 780})
	file := filepath.Join(t.TempDir(), "campaign.csv")
	at := soon(48 * time.Hour)
	must(t, os.WriteFile(file, []byte("phone_number,scenario_id,scheduled_at\n"+
		simulated("11")+",restaurant_order,"+at+"\n0512,restaurant_order,\n"), 0o600))
	p.Go(a.URL + "/console/calls/import")
	p.Upload("#file", file)
	p.Click("form.stack button.primary")
	p.WaitText("#report", "Good rows: 1; rows to mend: 1")
	p.CheckAccess()
	p.Click("#report form button")
	p.WaitText("#report", "Booked: 1")
	p.Look(browsertest.View{})
	p.Go(a.URL + "/console/calls?status=scheduled")
	p.WaitText("#calls", simulated("11"))
	p.Press("j")
	p.Press("x")
	p.WaitFor(`document.querySelector("tr[data-cursor] input:checked")`)
	p.Press(kb.Enter)
	p.WaitVisible(`a[href*="/calls/cancel"]`)
}

package whole_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"munadi/appliance/demo/browsertest"
)

// awaitCampaign waits until a campaign has ended, in the API and on its page, which is updated without a reload.
func awaitCampaign(t *testing.T, a *testInstance, p *browsertest.BrowserPage, id string) jsonObject {
	t.Helper()
	for began := time.Now(); ; time.Sleep(time.Second) {
		c := a.requestAPI(t, "GET", "/campaigns/"+id, nil).wantStatus(t, 200).successData(t)
		if c.textAt("status") == "finished" {
			p.WaitText("#progress", "انتهى 401 من 401")
			return c
		}
		if time.Since(began) > 3*conversation {
			t.Fatalf("the campaign has not ended: %s", p.ElementText("#progress"))
		}
	}
}

// countAt returns a number of an API answer; 0 if it is missing.
func (o jsonObject) countAt(keys ...string) int {
	n, _ := o.valueAt(keys...).(float64)
	return int(n)
}

// checkCampaignPage expects confirmed, rescheduled and cancelled appointments, and that the page shows the API's counts
// and lists as many people for each.
func checkCampaignPage(t *testing.T, a *testInstance, p *browsertest.BrowserPage, c jsonObject) {
	t.Helper()
	people := c.objectAt("people")
	confirmed, moved := people.objectAt("answers", "confirmed"), people.objectAt("answers", "wants_reschedule")
	t.Logf("people: %v, unreached %d, answers %v", people.objectAt("counts"), people.countAt("unreached"), people.objectAt("answers"))
	if confirmed.countAt("true") < 4 || moved.countAt("true") < 1 || moved.countAt("false") < 1 ||
		people.countAt("counts", "completed") != len(answering) || people.countAt("unreached") < 100 {
		t.Errorf("the campaign's people are %v", people)
	}
	for status, n := range people.objectAt("counts") {
		shown := fmt.Sprintf(`.campaign-parts a[data-state="%s"]`, status)
		p.WaitFor(`(document.querySelector('` + shown + ` b')?.textContent ?? "0") === "` + fmt.Sprint(n) + `"`)
	}
	p.ClickElement("#answers .answer-list a")
	p.WaitFor(fmt.Sprintf(`document.querySelectorAll("#people tbody tr").length === %d`, confirmed.countAt("true")))
	p.NavigateTo(a.URL + "/console/campaigns/" + c.textAt("id"))
	p.ClickElement("#unreached")
	p.WaitText("main", strconv.Itoa(people.countAt("unreached")))
	p.CheckAccessibility()
}

// needing returns the calls that the API lists as needing a person.
func needing(t *testing.T, a *testInstance) []any {
	t.Helper()
	return jsonObject(a.requestAPI(t, "GET", "/calls?needs_person=true", nil).wantStatus(t, 200).jsonBody(t)).listAt("data")
}

// callByHand finds the patients who need a person, opens one of their calls and ends its follow-up with a note.
func callByHand(t *testing.T, a *testInstance, p *browsertest.BrowserPage) {
	t.Helper()
	const queued = `document.querySelectorAll("#queue tbody tr").length`
	if n := len(needing(t, a)); n != 3 {
		t.Errorf("%d calls need a person, want 3", n)
	}
	p.NavigateTo(a.URL + "/console")
	p.ClickElement(`nav.sections a[href="/console/queue"]`)
	p.WaitFor(queued + " === 3")
	p.WaitText(`nav.sections a[aria-current] .section-count`, "3")
	p.CheckAccessibility()
	number := p.ElementText("#queue tbody th bdi[dir=ltr]")
	p.ClickElement("#queue tbody th a")
	p.WaitText("main h1", "مريض")
	p.WaitText("main hgroup", number)
	p.WaitText("#after .need", "طلب التحدث إلى موظف")
	id := browsertest.EvalExpression[string](p, `location.pathname.split("/").pop()`)
	p.ClickElement("#after .need-done > summary")
	p.TypeText("#after .need-done textarea", "اتصلت به: سيحضر")
	p.ClickElement(`#after button[value="done"]`)
	p.WaitText("#after .remarks", "اتصلت به: سيحضر")
	p.NavigateTo(a.URL + "/console/queue")
	p.WaitFor(queued + " === 2")
	one := a.requestAPI(t, "GET", "/calls/"+id, nil).wantStatus(t, 200).successData(t)
	if len(needing(t, a)) != 2 || one.textAt("needs_person", "reason") != "asked_for_person" || one.textAt("phone_number") != number {
		t.Errorf("after the call by hand: %v", one)
	}
}

// printForManager prints the campaign and the day's report; both show the API's counts.
func printForManager(t *testing.T, a *testInstance, p *browsertest.BrowserPage, c jsonObject) {
	t.Helper()
	people := c.objectAt("people")
	completed, confirmed := people.countAt("counts", "completed"), people.countAt("answers", "confirmed", "true")
	p.NavigateTo(a.URL + "/console/campaigns/" + c.textAt("id") + "?theme=dark")
	p.WaitVisible("[data-print]")
	paper := p.PrintPage()
	paper.WantTexts(p, "شبكة محاكاة", c.textAt("name"), "انتهى 401 من 401", completed, confirmed, people.countAt("unreached"))
	savePrint(t, "campaign", paper)

	p.NavigateTo(a.URL + "/console/reports?by=day&theme=light")
	p.CheckAccessibility()
	paper = p.PrintPage()
	savePrint(t, "report", paper)
	const row = `[...document.querySelectorAll("section:has(#campaigns) tbody td")].map((cell) => cell.textContent).join(" ")`
	failed := people.countAt("counts", "failed")
	want := fmt.Sprintf("401 %d %d%% %d %d %d 0 0", completed, (200*completed+401)/802, confirmed, 401-completed-failed, failed)
	if got := browsertest.EvalExpression[string](p, row); got != want {
		t.Errorf("the report's row of the campaign is %q, the API's counts make %q", got, want)
	}
	paper.WantTexts(p, c.textAt("name"), completed, confirmed)
}

// savePrint saves a print in the folder MUNADI_LOOK.
func savePrint(t *testing.T, name string, paper browsertest.PrintedPage) {
	t.Helper()
	t.Logf("%s on %d sheets", name, paper.Sheets)
	if folder := os.Getenv("MUNADI_LOOK"); folder != "" {
		mustSucceed(t, os.WriteFile(filepath.Join(folder, name+".pdf"), paper.PDF, 0o600))
	}
}

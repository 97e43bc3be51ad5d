package whole_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/demo/browsertest"
)

// TestAfterACall follows up a simulated call: a note, a mark for a person, a corrected answer and turn. The queue, the
// list, the text search and the API show them.
func TestAfterACall(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift}})
	id := a.awaitEnded(t, a.bookCall(t, simulatedNumber("07"), "appointment_confirmation", jsonObject{}).textAt("id")).textAt("id")
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "ar", browsertest.PageView{})
	path := a.URL + "/console/calls/" + id

	p.NavigateTo(path)
	p.TypeText("#note", "يفضّل الاتصال مساءً")
	p.ClickElement(`form[action$="/note"] button`)
	p.WaitText("#after .remarks", "يفضّل الاتصال مساءً")
	p.ClickElement(`form[action$="/need"] button[value="mark"]`)
	p.WaitVisible("#after .need")
	p.ClickElement("#correct > summary")
	p.RunScript(`document.querySelector('[name="answer.confirmed"]').value = "false"`)
	p.CheckAccessibility()
	p.ClickElement("#correct button.primary")
	p.WaitVisible(".corrections ins")
	p.RunScript(`document.querySelector(".correct-turn").open = true`)
	p.RunScript(`document.querySelector(".correct-turn textarea").value = "لا أستطيع الحضور"`)
	p.ClickElement(".correct-turn[open] button.primary")
	p.WaitText(".bubble.user:has(.turn-heard) .bubble-text", "لا أستطيع الحضور")
	p.CheckAccessibility()
	correctOneWord(t, p)

	p.NavigateTo(a.URL + "/console/queue")
	p.WaitText(`nav.sections a[aria-current] .section-count`, "1")
	p.CheckAccessibility()
	p.NavigateTo(a.URL + "/console/calls?slot=confirmed&answer=false")
	p.WaitVisible("#calls tbody tr[data-id='" + id + "']")
	p.NavigateTo(a.URL + "/console/calls")
	p.RunScript(`document.querySelector(".filters-fold").open = true`)
	p.TypeText("#f-said", "استطيع")
	p.ClickElement(".calls-filter button[type=submit]")
	p.WaitText(".below-row mark", "أستطيع")
	p.CheckAccessibility()
	got := a.requestAPI(t, "GET", "/calls/"+id, nil).wantStatus(t, 200).successData(t)
	if got.textAt("needs_person", "reason") != "staff" || got.valueAt("corrected_report", "confirmed") != false ||
		got.valueAt("report", "confirmed") != true {
		t.Errorf("the API says %v", got)
	}
	if said := fmt.Sprint(got.valueAt("corrections")); !strings.Contains(said, "لا أستطيع المجيء غدا") {
		t.Errorf("the API's corrections are %s", said)
	}
	p.NavigateTo(a.URL + "/console/audit")
	p.WaitFor(`document.querySelector("main a[href$='/calls/` + id + `']")`)
	if shots := os.Getenv("MUNADI_LOOK"); shots != "" {
		lookAfterACall(a, p, id, shots)
	}
	p.NavigateTo(a.URL + "/console/queue")
	p.ClickElement(`#queue button[value="take"]`)
	p.WaitVisible(`#queue button[value="leave"]`)
	p.ClickElement("#queue .queue-done > summary")
	p.TypeText("#queue textarea", "اتصلت به")
	p.ClickElement(`#queue button[value="done"]`)
	p.WaitHidden("#queue table")
	if left := string(a.requestAPI(t, "GET", "/calls?needs_person=true", nil).wantStatus(t, 200).Body); strings.Contains(left, id) {
		t.Errorf("the queue still has %s", left)
	}
	suppressFromCall(t, a, p, path)
}

// suppressFromCall submits the suppression form of a call's page, and checks that a later call to the number is
// stopped.
func suppressFromCall(t *testing.T, a *testInstance, p *browsertest.BrowserPage, path string) {
	t.Helper()
	p.NavigateTo(path)
	p.ClickElement("#after details:has(#suppress-reason) > summary")
	p.TypeText("#suppress-reason", "طلب ذلك")
	p.ClickElement("#after button.danger")
	p.WaitText("#after > p.need", "طلب ذلك")
	again := a.awaitEnded(t, a.bookCall(t, simulatedNumber("07"), "appointment_confirmation", jsonObject{}).textAt("id"))
	if again.textAt("status") != "failed" || again.textAt("failure", "reason") != "suppressed" {
		t.Errorf("a call after the suppression ended as %v", again)
	}
}

// correctOneWord corrects the last word of the corrected turn with the keyboard on a desktop, and cancels a correction
// with Escape on a telephone.
func correctOneWord(t *testing.T, p *browsertest.BrowserPage) {
	t.Helper()
	const last = `document.querySelector(".bubble:has(.turn-heard) .word:last-child")`
	p.WaitVisible(".bubble:has(.turn-heard) .word[role=button]")
	p.RunScript(last + `.focus()`)
	p.PressKeys(kb.Enter)
	p.WaitFor(`document.activeElement.name === "content" && document.activeElement.value === "الحضور"`)
	p.CheckAccessibility()
	p.PressKeys(kb.Delete) // the word is selected
	p.TypeText(".word-correction input[name=content]", "المجيء غدا")
	p.PressKeys(kb.Enter)
	p.WaitText(".bubble:has(.turn-heard) .bubble-text", "لا أستطيع المجيء غدا")
	p.SetView(browsertest.PageView{Width: 360, Height: 780})
	p.WaitFor(last + `.getAttribute("role") === "button"`)
	p.RunScript(last + `.click()`)
	p.WaitVisible(".word-correction")
	p.CheckAccessibility()
	small := `[...document.querySelectorAll(".bubble [role=button], .word-correction :is(button, input:not([type=hidden]))")]` +
		`.filter(e => Math.min(e.getBoundingClientRect().height, e.getBoundingClientRect().width) < 44).map(e => e.outerHTML).join()`
	if got := browsertest.EvalExpression[string](p, small); got != "" {
		t.Errorf("too small for a finger: %s", got)
	}
	if browsertest.EvalExpression[bool](p, `document.documentElement.scrollWidth > innerWidth`) {
		t.Error("the page is wider than a telephone")
	}
	if shots := os.Getenv("MUNADI_LOOK"); shots != "" {
		p.SaveFullPage(filepath.Join(shots, "word-360.png"))
	}
	p.PressKeys(kb.Escape)
	p.WaitFor(`!document.querySelector(".word-correction") && document.activeElement === ` + last)
	p.SetView(browsertest.PageView{})
}

// lookAfterACall saves screenshots of the pages in both languages and themes, at desktop and telephone width.
func lookAfterACall(a *testInstance, p *browsertest.BrowserPage, id, folder string) {
	for name, view := range map[string]browsertest.PageView{
		"ar-light-1440": {Width: 1440, Height: 900}, "ar-dark-360": {Width: 360, Height: 780, Dark: true},
		"en-dark-1440": {Width: 1440, Height: 900, Dark: true}, "en-light-360": {Width: 360, Height: 780},
	} {
		p.SetView(view)
		save := func(page string) { p.SaveFullPage(filepath.Join(folder, page+"-"+name+".png")) }
		p.NavigateTo(a.URL + "/console/calls/" + id + "?lang=" + name[:2])
		p.RunScript(`document.querySelectorAll("#correct, .correct-turn, .need-done").forEach(d => d.open = true)`)
		save("call")
		p.NavigateTo(a.URL + "/console/queue")
		save("queue")
		p.NavigateTo(a.URL + "/console/calls?said=%D8%A7%D8%B3%D8%AA%D8%B7%D9%8A%D8%B9")
		save("search")
		p.NavigateTo(a.URL + "/console")
		save("today")
	}
}

package whole_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/demo/browsertest"
)

// TestAfterACall: a simulated call ends; staff note it, mark it for a person, correct an answer and a turn. The queue,
// the list, the search in words and the API show it.
func TestAfterACall(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift}})
	id := a.ended(t, a.book(t, simulated("07"), "appointment_confirmation", object{}).text("id")).text("id")
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "ar", browsertest.PageView{})
	path := a.URL + "/console/calls/" + id

	p.NavigateTo(path)
	p.TypeText("#note", "يفضّل الاتصال مساءً")
	p.ClickElement(`form[action$="/note"] button`)
	p.WaitText("#after .remarks", "يفضّل الاتصال مساءً")
	p.ClickElement(`form[action$="/need"] button[value="mark"]`)
	p.WaitVisible("#after .need")
	p.ClickElement("#correct > summary")
	p.RunScript(`document.querySelector("#answer-confirmed").value = "false"`)
	p.CheckAccess()
	p.ClickElement("#correct button.primary")
	p.WaitVisible(".corrections ins")
	p.RunScript(`document.querySelector(".correct-turn").open = true`)
	p.RunScript(`document.querySelector(".correct-turn textarea").value = "لا أستطيع الحضور"`)
	p.ClickElement(".correct-turn[open] button.primary")
	p.WaitText(".bubble.user:has(.turn-heard) .bubble-text", "لا أستطيع الحضور")
	p.CheckAccess()

	p.NavigateTo(a.URL + "/console/queue")
	p.WaitText(`nav.sections a[aria-current] .section-count`, "1")
	p.CheckAccess()
	p.NavigateTo(a.URL + "/console/calls?slot=confirmed&answer=false")
	p.WaitVisible("#calls tbody tr[data-id='" + id + "']")
	p.NavigateTo(a.URL + "/console/calls")
	p.RunScript(`document.querySelector(".filters-fold").open = true`)
	p.TypeText("#filter-said", "استطيع")
	p.ClickElement(".calls-filter button[type=submit]")
	p.WaitText(".said-row mark", "أستطيع")
	p.CheckAccess()
	got := a.ask(t, "GET", "/calls/"+id, nil).want(t, 200).data(t)
	if got.text("needs_person", "reason") != "staff" || got.at("corrected_report", "confirmed") != false ||
		got.at("report", "confirmed") != true {
		t.Errorf("the API says %v", got)
	}
	if shots := os.Getenv("MUNADI_LOOK"); shots != "" {
		lookAfterACall(a, p, id, shots)
	}
	p.NavigateTo(a.URL + "/console/queue")
	p.ClickElement(`#queue button[value="take"]`)
	p.WaitVisible(`#queue button[value="leave"]`)
	p.ClickElement("#queue .need-done > summary")
	p.TypeText("#queue textarea", "اتصلت به")
	p.ClickElement(`#queue button[value="done"]`)
	p.WaitHidden("#queue")
	if left := string(a.ask(t, "GET", "/calls?needs_person=true", nil).want(t, 200).Body); strings.Contains(left, id) {
		t.Errorf("the queue still has %s", left)
	}
}

// lookAfterACall saves the pages in both languages and appearances, for a desk and a telephone.
func lookAfterACall(a *instance, p *browsertest.BrowserPage, id, folder string) {
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

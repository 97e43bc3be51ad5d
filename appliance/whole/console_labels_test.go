package whole_test

import (
	"os"
	"path/filepath"
	"testing"

	"munadi/appliance/demo/browsertest"
)

// TestLabelsInTheConsole watches a call while slots are filled, and checks that its page, the list, the person and the
// script show labels in Arabic and English, and that the booking form has pickers.
func TestLabelsInTheConsole(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift}})
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "ar", browsertest.PageView{})
	id := a.bookCall(t, simulatedNumber("07"), "restaurant_order", jsonObject{"variables": jsonObject{"total": 45}}).textAt("id")
	p.NavigateTo(a.URL + "/console/calls/" + id)
	p.WaitText(`#slots [data-slot="dish"]`, "الطبق")
	a.awaitEnded(t, id)

	for lang, words := range map[string]struct{ dish, confirmed, total, script, date string }{
		"ar": {"الطبق", "مؤكد", "المبلغ", "سؤال الطبق", "يوم الموعد"},
		"en": {"Dish", "Confirmed", "Total", "Question: which dish?", "Appointment day"},
	} {
		p.NavigateTo(a.URL + "/console/calls/" + id + "?lang=" + lang)
		p.WaitText(`#slots [data-slot="dish"]`, words.dish)
		p.WaitText(`#slots [data-slot="confirmed"]`, words.confirmed)
		p.WaitText(".call", words.total)
		p.CheckAccessibility()
		p.NavigateTo(a.URL + "/console/people/" + simulatedNumber("07"))
		p.WaitText(".facts", words.dish)
		p.NavigateTo(a.URL + "/console/calls")
		p.WaitText("#calls", words.confirmed)
		p.NavigateTo(a.URL + "/console/scenarios/restaurant_order")
		p.WaitText(".script", words.script)
		p.CheckAccessibility()
		p.NavigateTo(a.URL + "/console/calls/new?scenario=appointment_confirmation")
		p.WaitText(`label[for="var-date"]`, words.date)
		p.WaitFor(`document.querySelector("#var-date").type === "date" && document.querySelector("#var-time").type === "time"`)
	}
	if folder := os.Getenv("MUNADI_LOOK"); folder != "" {
		lookAtLabels(a, p, id, folder)
	}
}

// lookAtLabels saves screenshots of the pages in both languages and themes, at desktop and telephone width.
func lookAtLabels(a *testInstance, p *browsertest.BrowserPage, id, folder string) {
	for name, view := range map[string]browsertest.PageView{
		"ar-light-1440": {Width: 1440, Height: 900}, "ar-dark-360": {Width: 360, Height: 780, Dark: true},
		"en-dark-1440": {Width: 1440, Height: 900, Dark: true}, "en-light-360": {Width: 360, Height: 780},
	} {
		p.SetView(view)
		for page, path := range map[string]string{
			"call": "/calls/" + id, "person": "/people/" + simulatedNumber("07"), "script": "/scenarios/restaurant_order",
			"book": "/calls/new?scenario=appointment_confirmation",
		} {
			p.NavigateTo(a.URL + "/console/account?lang=" + name[:2])
			p.NavigateTo(a.URL + "/console" + path)
			p.SaveFullPage(filepath.Join(folder, page+"-"+name+".png"))
		}
	}
}

package whole_test

import (
	"testing"

	"munadi/appliance/demo/browsertest"
)

// TestFirstPageTakesFewRequests checks that the first load of the list of calls takes at most 12 requests beside its
// event streams, in both languages, including later ones (alerts).
func TestFirstPageTakesFewRequests(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	b := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	for _, lang := range []string{"en", "ar"} {
		p := signIn(t, b, a, lang, browsertest.PageView{})
		p.NavigateTo(a.URL + "/console/calls?lang=" + lang)
		p.WaitFor(`performance.getEntriesByType("resource").some((e) => e.name.includes("/alerts/banner"))`)
		p.RunScript(`document.querySelector("main").dataset.requests =
			performance.getEntriesByType("resource").map((e) => e.name.replace(/.*\/assets\/[^/]*/, "")).join(" ")`)
		p.WaitFor(`document.querySelector("main").dataset.requests.split(" ").length <= 11`)
	}
}

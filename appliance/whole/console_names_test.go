package whole_test

import (
	"fmt"
	"strings"
	"testing"

	"munadi/appliance/demo/browsertest"
)

// rowsAreLow is true when the page's table has rows, each of at most two lines of buttons, and does not scroll sideways.
const rowsAreLow = `(() => {
	const table = document.querySelector("main .table-wrap"), rows = [...table.querySelectorAll("tbody tr")];
	return rows.length > 1 && rows.every((row) => row.offsetHeight <= 80) && table.scrollWidth <= table.clientWidth;
})()`

// TestLongNamesKeepRowsLow: names of 300 characters take one line in the lists of calls and of the queue, which fit the
// screen, and the note that ends a follow-up is in hand.
func TestLongNamesKeepRowsLow(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	for i, name := range []string{strings.Repeat("x", 300), strings.Repeat("عبد الرحمن ", 27), "سارة"} {
		variables := jsonObject{"name": name, "date": "2026-12-03", "time": "17:30"}
		a.awaitEnded(t, a.bookCall(t, fmt.Sprintf("+96650000%d077", i+1), "appointment_confirmation", jsonObject{"variables": variables}).textAt("id"))
	}
	browser := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	for lang, widths := range map[string][]int{"ar": {720, 900, 1200}, "en": {720, 1024, 1440}} {
		p := signIn(t, browser, a, lang, browsertest.PageView{})
		for _, width := range widths {
			p.SetView(browsertest.PageView{Width: width, Height: 900})
			p.NavigateTo(a.URL + "/console/calls")
			p.WaitFor(rowsAreLow)
		}
		p.SetView(browsertest.PageView{})
		p.NavigateTo(a.URL + "/console/queue")
		p.WaitFor(rowsAreLow)
		p.ClickElement(".queue-done > summary")
		p.WaitFor(`document.activeElement?.matches(".queue-done textarea")`)
	}
}

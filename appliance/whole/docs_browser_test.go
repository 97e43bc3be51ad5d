package whole_test

import (
	"testing"

	"munadi/appliance/demo/browsertest"
)

// TestDocumentationHasNoFault: axe-core finds nothing on the API documentation, all of it unfolded, by day and by night,
// and nothing is wider than a telephone or a desk.
func TestDocumentationHasNoFault(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	b := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	for _, view := range []browsertest.PageView{{Width: 360, Height: 740}, {Width: 1440, Height: 900, Dark: true}} {
		p := b.OpenPage(t, a.URL+"/docs", view)
		p.RunScript(`document.querySelectorAll("details").forEach((one) => one.open = true)`)
		p.CheckAccess()
		if wide := browsertest.EvalExpression[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
			t.Errorf("at %d: wider than its window by %d", view.Width, wide)
		}
	}
}

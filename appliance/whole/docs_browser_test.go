package whole_test

import (
	"testing"

	"munadi/appliance/demo/browsertest"
)

// TestDocumentationHasNoFault checks with axe-core that the API documentation, fully expanded, has no violation in
// either theme and is not wider than the screen.
func TestDocumentationHasNoFault(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	b := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	for _, view := range []browsertest.PageView{{Width: 360, Height: 740}, {Width: 1440, Height: 900, Dark: true}} {
		p := b.OpenPage(t, a.URL+"/docs", view)
		p.RunScript(`document.querySelectorAll("details").forEach((one) => one.open = true)`)
		p.CheckAccessibility()
		if wide := browsertest.EvalExpression[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
			t.Errorf("at %d: wider than its window by %d", view.Width, wide)
		}
	}
}

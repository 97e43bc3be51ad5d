package whole_test

import (
	"fmt"
	"strings"
	"testing"

	"munadi/appliance/demo/browsertest"
)

// TestWarningOverEveryPage checks the warning about unencrypted access from other machines, at telephone and desktop
// width.
func TestWarningOverEveryPage(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{args: []string{"--listen", "0.0.0.0:0"}})
	base := strings.Replace(a.URL, "[::]", "127.0.0.1", 1)
	b := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	for _, width := range []int{360, 1440} {
		for name, path := range map[string]string{
			"demo-ar": "/?lang=ar", "demo-en": "/?lang=en", "console-ar": "/console/sign-in?lang=ar",
			"console-en": "/console/sign-in?lang=en", "docs": "/docs",
		} {
			p := b.OpenPage(t, base+path, browsertest.PageView{Width: width, Height: 740})
			p.WaitVisible(".banner")
			p.WaitText(".banner", "--tls local")
			if wide := browsertest.EvalExpression[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
				t.Errorf("%s at %d: wider than its window by %d", name, width, wide)
			}
			p.SaveViewport(artifactPath(t, fmt.Sprintf("warning-%s-%d.png", name, width)))
		}
	}
}

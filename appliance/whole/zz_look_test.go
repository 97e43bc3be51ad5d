package whole_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"munadi/appliance/demo/browsertest"
)

var zzName = regexp.MustCompile(`[^a-zA-Z0-9]+`)

func TestZZLook(t *testing.T) {
	base, out := os.Getenv("ZZ_URL"), os.Getenv("ZZ_OUT")
	if base == "" {
		t.Skip()
	}
	_ = filepath.Join
	b := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	views := map[string]browsertest.PageView{
		"ar-360-dark":   {Width: 360, Height: 740, Dark: true},
		"ar-1440-light": {Width: 1440, Height: 900},
		"en-360-light":  {Width: 360, Height: 740},
		"en-1440-dark":  {Width: 1440, Height: 900, Dark: true},
	}
	for name, v := range views {
		if only := os.Getenv("ZZ_VIEW"); only != "" && !strings.Contains(name, only) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			p := b.OpenPage(t, base+"/console?lang="+name[:2], v)
			p.WaitVisible("#password")
			p.SaveFullPage(filepath.Join(out, name+"-signin.png"))
			p.RunScript(`(document.querySelector("#name").value = "admin", document.querySelector("#password").value = "night-shift-2026", document.querySelector("#password").form.submit())`)
			p.WaitVisible("nav.sections")
			look := func(at string) {
				p.WaitFor(`document.fonts.status === "loaded"`)
				f := strings.Trim(zzName.ReplaceAllString(kindOf(at), "_"), "_")
				p.SaveFullPage(filepath.Join(out, f+"."+name+".png"))
				text := browsertest.EvalExpression[string](p, `document.body.innerText`)
				_ = os.WriteFile(filepath.Join(out, f+"."+name+".txt"), []byte(at+"\n"+text), 0o600)
				cut := browsertest.EvalExpression[string](p, `[...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() && e.clientWidth > 0 && (e.scrollWidth > e.clientWidth + 1) && getComputedStyle(e).overflowX !== "visible" && getComputedStyle(e).display !== "inline").map((e) => e.tagName + "." + e.className + "#" + e.id + " over " + (e.scrollWidth - e.clientWidth) + " " + getComputedStyle(e).overflowX + ": " + e.innerText.slice(0, 50)).join("\n")`)
				if cut != "" {
					t.Logf("CUT %s: %s", at, cut)
				}
			}
			if pages := os.Getenv("ZZ_PAGES"); pages != "" {
				for _, at := range strings.Fields(pages) {
					p.NavigateTo(base + at)
					look(at)
				}
				return
			}
			walkConsole(t, p, base, func(at string) { checkPage(t, p, at, name[:2]); look(at) })
			for _, at := range []string{"/docs", "/", "/console/certificate", "/console/nothing-here", "/console/welcome"} {
				p.ExpectStatuses(404)
				p.NavigateTo(base + at)
				if at == "/docs" {
					p.CheckAccessibility()
				}
				look(at)
			}
		})
	}
}

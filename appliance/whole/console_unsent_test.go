package whole_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"munadi/appliance/demo/browsertest"
)

// TestFormSurvivesSignOut: a form that is filled in while its user signs out on another tab is saved with all that was typed.
func TestFormSurvivesSignOut(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{env: []string{"MUNADI_CARRIER=simulator", "MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift}})
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "ar", browsertest.PageView{})
	p.ExpectStatuses(401, 403)
	const words = "سطر طويل كتبته الموظفة بيدها قبل أن تنتهي الجلسة"
	p.NavigateTo(a.URL + "/console/scenarios/new?lang=ar")
	p.ClickElement(`input[value="template:blank"]`)
	p.TypeText("#f-name", "Day of visit")
	p.ClickElement(`form.new-scenario button[type="submit"]`)
	p.WaitVisible("#editor .chip-line")
	p.ClickElement("#card-0 .say-line:last-child .chip-line")
	p.PressKeys(words)

	// What another tab does, with the cookies of this one.
	post := func(path, fields string) {
		t.Helper()
		p.RunScript(fmt.Sprintf(`(() => {
			const csrf = document.querySelector('[name="csrf"]')?.value ?? "";
			fetch(%q, { method: "POST", body: new URLSearchParams({ csrf, %s }) }).then(() => { document.body.dataset.done = %q; });
		})()`, path, fields, path))
		p.WaitFor(fmt.Sprintf(`document.body.dataset.done === %q`, path))
	}
	post("/console/sign-out", "")
	p.RunScript(`document.querySelector(".editor-bar .primary").click()`)
	p.WaitText("h1", "انتهت جلستك")
	p.CheckAccessibility()
	lookAtUnsent(t, p, "signed-out")
	p.RunScript(`document.querySelector("#unsent-sign-in").addEventListener("click", (event) => event.preventDefault())`)
	p.RunScript(`document.querySelector("#unsent-sign-in").click()`)
	post("/console/sign-in", fmt.Sprintf(`name: "admin", password: %q`, nightShift))
	p.RunScript(`document.dispatchEvent(new Event("visibilitychange"))`)
	p.WaitText("h1", "هل يُرسل")
	p.CheckAccessibility()
	lookAtUnsent(t, p, "ready")
	p.ClickElement("#unsent button")
	p.WaitText("main", words)
	p.NavigateTo(a.URL + "/console/scenarios/day_of_visit")
	p.WaitText("main", words)
}

// lookAtUnsent saves the page in the folder MUNADI_LOOK, in four forms.
func lookAtUnsent(t *testing.T, p *browsertest.BrowserPage, name string) {
	t.Helper()
	folder := os.Getenv("MUNADI_LOOK")
	if folder == "" {
		return
	}
	for _, width := range []int{360, 1440} {
		for _, dark := range []bool{false, true} {
			p.SetView(browsertest.PageView{Width: width, Height: 740, Dark: dark})
			time.Sleep(200 * time.Millisecond)
			p.SaveViewport(filepath.Join(folder, fmt.Sprintf("unsent-%s-%d-%v.png", name, width, dark)))
		}
	}
}

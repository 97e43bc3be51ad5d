package whole_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/demo/browsertest"
)

// lastTurnShown is true when the last words of a typed trial are not below the edge of their list.
const lastTurnShown = `(() => {
	const list = document.querySelector("#try .turns"), last = list.lastElementChild;
	return last.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom + 1;
})()`

// TestScenarioEditor copies a built-in scenario, changes a line, adds a question with choices and a branch, corrects a
// fault that is shown beside its line, tries the draft in writing, records a line, saves, calls, compares the versions
// and restores one.
func TestScenarioEditor(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	a := startFastCalls(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift}})
	browser := browsertest.StartBrowser(t, browsertest.BrowserOptions{Microphone: humFile(t)})
	p := signIn(t, browser, a, "en", browsertest.PageView{})
	p.NavigateTo(a.URL + "/console/scenarios/new?from=appointment_confirmation")
	p.RunScript(`["f-id", "f-name"].forEach((name) => { document.getElementById(name).value = "visit" })`)
	p.ClickElement("form.stack button.primary")
	p.WaitVisible("#editor")
	p.CheckAccessibility()

	setField := func(path, value string) {
		t.Helper()
		p.RunScript(fmt.Sprintf(`(() => {
			const field = document.querySelector('[name=%q]');
			for (let e = field; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
			field.value = %q;
		})()`, path, value))
	}
	press := func(css string) {
		t.Helper()
		p.RunScript(`document.body.dataset.old = "1"`)
		p.RunScript(fmt.Sprintf(`document.querySelector(%q).click()`, css))
		p.WaitFor(`!document.body.dataset.old && document.readyState === "complete"`)
	}
	setField("steps.0.say.0", "أهلا وسهلا بكم")
	press(`[value="add-ask:0"]`)
	p.WaitText("#card-1 .error", "Write what this step says")
	p.CheckAccessibility()
	setField("steps.1.say.0", "أي فرع تريد")
	setField("steps.1.slot.type", "choice")
	setField("steps.1.slot.name", "place")
	press(`.editor-bar [value="check"]`)
	setField("steps.1.slot.choices.0.phrases", "العليا")
	setField("steps.1.slot.choices.0.value", "olaya")
	press(`.editor-bar [value="check"]`)
	setField("steps.1.slot.choices.1.phrases", "الملز")
	setField("steps.1.slot.choices.1.value", "malaz")
	press(`[value="branch:1"]`)
	setField("steps.3.say.0", "يا {{nam}}")
	press(`.editor-bar [value="check"]`)
	p.WaitText("#card-3 .error", "Nothing is called")
	p.CheckAccessibility()
	if shots := os.Getenv("MUNADI_LOOK"); shots != "" {
		lookAtEditor(t, a, p, "fault", shots)
	}
	setField("steps.3.say.0", "معكم العيادة")
	press(`.editor-bar [value="check"]`)
	p.WaitText(".flash:not(.alert-banner)", "No errors")
	typeAnswer := func(text, expects string) {
		t.Helper()
		p.WaitFor(`document.activeElement?.id === "try-text"`) // nobody has to reach for the mouse
		p.PressKeys(text)
		p.PressKeys(kb.Enter)
		p.WaitText("#try", expects)
		p.WaitFor(lastTurnShown)
	}
	press(`[value="try"]`)
	p.WaitText("#try", "أي فرع تريد")
	p.CheckAccessibility()
	typeAnswer("الملز", "malaz")
	typeAnswer("نعم أؤكد", "The call is over.")
	p.CheckAccessibility()
	if shots := os.Getenv("MUNADI_LOOK"); shots != "" {
		lookAtEditor(t, a, p, "trial", shots)
	}
	recordFirstLine(t, a, p, press)
	press(".editor-bar .primary")
	p.WaitHidden("#editor")
	checkHummed(t, a, "visit")

	p.NavigateTo(a.URL + "/console/scenarios/visit/versions")
	p.CheckAccessibility()
	p.NavigateTo(a.URL + "/console/scenarios/visit/versions/2")
	p.WaitText(".difference .added mark", "أهلا وسهلا بكم")
	p.CheckAccessibility()
	if shots := os.Getenv("MUNADI_LOOK"); shots != "" {
		for _, page := range []string{"", "/edit", "/edit?tab=json", "/versions", "/versions/2"} {
			p.NavigateTo(a.URL + "/console/scenarios/visit" + page)
			lookAtEditor(t, a, p, filepath.Base("visit"+page), shots)
		}
	}
	p.NavigateTo(a.URL + "/console/scenarios/visit/versions/1")
	p.ClickElement(`a[href$="/edit?version=1"]`)
	p.WaitText("#review", "السلام عليكم")
	p.ClickElement("#review .primary")
	p.WaitText(".script", "السلام عليكم")
	checkNoMicrophone(t, a)
}

// lookAtEditor saves screenshots of the page at desktop and telephone width, in both themes, in the folder MUNADI_LOOK.
func lookAtEditor(t *testing.T, _ *testInstance, p *browsertest.BrowserPage, name, folder string) {
	t.Helper()
	mustSucceed(t, os.MkdirAll(folder, 0o750))
	for _, wide := range []int{360, 1440} {
		for _, dark := range []bool{false, true} {
			p.SetView(browsertest.PageView{Width: wide, Height: 900, Dark: dark})
			p.SaveFullPage(filepath.Join(folder, fmt.Sprintf("%s-%d-%t.png", name, wide, dark)))
		}
	}
	p.SetView(browsertest.PageView{})
}

package whole_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/demo/browsertest"
)

// TestScenarioFromATemplate makes a scenario without its JSON: it begins with a template, gives a line a value from the
// menu, adds a question by its label, corrects the fault that the top of the page leads to, takes a removal back,
// publishes, and hears the call.
func TestScenarioFromATemplate(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	a := startFastCalls(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + nightShift}})
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "en", browsertest.PageView{})
	p.NavigateTo(a.URL + "/console/scenarios")
	p.ClickElement(`a[href="/console/scenarios/new"]`)
	p.WaitVisible(".templates")
	p.CheckAccessibility()
	p.ClickElement(`input[value="template:blank"]`)
	p.TypeText("#f-name", "Day of visit")
	p.ClickElement(`form.new-scenario button[type="submit"]`)
	p.WaitVisible("#editor .chip-line")
	p.CheckAccessibility()

	// submit presses a button, which loads the page again.
	submit := func(css string) {
		t.Helper()
		p.RunScript(`document.body.dataset.old = "1"`)
		p.RunScript(fmt.Sprintf(`document.querySelector(%q).click()`, css))
		p.WaitFor(`!document.body.dataset.old && document.readyState === "complete" && document.querySelector(".chip-line")`)
	}
	p.ClickElement("#variables > summary")
	p.TypeText(`[name="variables.0.label"]`, "Part of the day")
	p.TypeText(`[name="variables.0.default"]`, "مساء")
	p.WaitFor(`!dispatchEvent(new Event("beforeunload", {cancelable: true}))`)
	submit(`.editor-bar [value="check"]`)
	p.ClickElement("#card-0 .say-line:last-child .chip-line")
	p.PressKeys("يوم ")
	p.ClickElement("#card-0 .say-line:last-child .chip-menu summary")
	p.ClickElement("#card-0 .say-line:last-child .chip-menu li button")
	p.WaitText("#card-0 .say-line:last-child .chip-value", "Part of the day")
	p.CheckAccessibility()
	submit(`[value="add-ask:0"]`)
	p.WaitText(".faults", "What is said")
	p.WaitFor(`document.activeElement?.matches("#card-1 .chip-line")`)
	p.PressKeys("أي يوم يناسبكم")
	p.TypeText(`[name="steps.1.label"]`, "Which day?")
	p.TypeText(`[name="steps.1.slot.label"]`, "Day wanted")
	p.RunScript(`document.body.dataset.old = "1"`)
	p.RunScript(`(() => {
		const kind = document.querySelector('[name="steps.1.slot.type"]');
		kind.value = "choice";
		kind.dispatchEvent(new Event("change", {bubbles: true}));
	})()`)
	p.WaitFor(`!document.body.dataset.old && document.querySelector('[name="steps.1.slot.choices.0.phrases"]')`)
	p.RunScript(`(() => { document.querySelector('[name="steps.1.slot.type"]').value = "date" })()`)
	submit(`.editor-bar [value="check"]`)
	p.WaitText(".flash:not(.alert-banner)", "No errors")
	p.WaitFor(`document.querySelector(".flow-list").textContent.includes("Which day?")`)
	p.WaitVisible("#card-0 .say-line .voice")
	p.RunScript(`document.querySelector("#card-0 .chip-line").focus()`)
	p.PressKeys("ن")
	p.WaitFor(`document.querySelector("#card-0 .say-line .voice").hidden`) // the text is another than the one that was checked
	p.PressKeys(kb.Backspace)
	p.WaitVisible("#card-0 .say-line .voice")
	submit(`[value="delete:1"]`)
	p.WaitText(".undo", "Which day?")
	submit(`[value="undo"]`)
	p.WaitText("#card-1 header", "Which day?")
	if shots := os.Getenv("MUNADI_LOOK"); shots != "" {
		lookAtEditor(t, a, p, "template", shots)
	}
	p.RunScript(`document.querySelector(".editor-bar .primary").click()`)
	p.WaitVisible(`form[action="/console/scenarios/day_of_visit/try"]`)
	p.CheckAccessibility()
	p.WaitText("main", "day_wanted")
	p.ClickElement(`form[action="/console/scenarios/day_of_visit/try"] button`)
	p.WaitVisible("#call")
	p.WaitText("main", "أي يوم يناسبكم")
	p.WaitText("main", "يوم مساء")
	p.WaitText("main", "Day wanted")
}

package whole_test

import (
	"testing"

	"munadi/appliance/demo/browsertest"
)

// resultInSight is true when the page has scrolled to the voices and the result of the action is in the window, above them.
const resultInSight = `(() => {
	const result = document.querySelector("main > .flash").getBoundingClientRect();
	const heading = document.querySelector("#voices-title").getBoundingClientRect();
	return scrollY > 0 && result.top >= 56 && result.bottom <= heading.top && heading.bottom <= innerHeight;
})()`

// faultInSight is true when a fault beside a field is in the window.
const faultInSight = `(() => {
	const fault = document.querySelector(".field .error").getBoundingClientRect();
	return scrollY > 0 && fault.top >= 56 && fault.bottom <= innerHeight;
})()`

// TestResultIsInSight: what became of an action far down a page is seen where the page has scrolled to, and what is
// wrong with a field beside it.
func TestResultIsInSight(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	browser := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	for lang, view := range map[string]browsertest.PageView{"en": {}, "ar": {Width: 360, Height: 740}} {
		p := signIn(t, browser, a, lang, view)
		p.NavigateTo(a.URL + "/console/system")
		p.RunScript(`document.querySelector("#voices details").open = true`)
		p.TypeText(`form[action$="/voices/offer"] [name="voice"]`, "nowhere")
		p.ClickElement(`form[action$="/voices/offer"] button`)
		p.WaitText("main > .flash", "nowhere")
		p.WaitFor(resultInSight)
		const path = `form[action$="/voices/import"] [name="voice_path"]`
		p.TypeText(path, "/nowhere/voice.onnx")
		p.ExpectText("/console/system/voices/import") // answered with 422
		p.ClickElement(`form[action$="/voices/import"] button`)
		p.WaitText(path+" ~ .error", "/nowhere/voice.onnx")
		p.WaitFor("document.activeElement.value === '/nowhere/voice.onnx' && " + faultInSight)
	}
}

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

// TestResultIsInSight: what became of an action far down a page is seen where the page has scrolled to.
func TestResultIsInSight(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	browser := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	for lang, view := range map[string]browsertest.PageView{"en": {}, "ar": {Width: 360, Height: 740}} {
		p := signIn(t, browser, a, lang, view)
		p.NavigateTo(a.URL + "/console/system")
		p.RunScript(`document.querySelector("#voices details").open = true`)
		p.TypeText(`form[action$="/voices/import"] [name="voice_path"]`, "/nowhere/voice.onnx")
		p.ClickElement(`form[action$="/voices/import"] button`)
		p.WaitText("main > .flash", "/nowhere/voice.onnx")
		p.WaitFor(resultInSight)
	}
}

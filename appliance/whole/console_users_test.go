package whole_test

import (
	"testing"

	"munadi/appliance/demo/browsertest"
)

// TestUsersFitTheScreen: what can be done with a user is on the screen, on a small laptop too.
func TestUsersFitTheScreen(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "en", browsertest.PageView{Width: 1280, Height: 800})
	p.NavigateTo(a.URL + "/console/users")
	p.TypeText(`form[action="/console/users"] [name="name"]`, "operator-of-the-night-shift")
	p.ClickElement(`form[action="/console/users"] button.primary`)
	p.WaitText("main table", "operator-of-the-night-shift")
	for _, lang := range []string{"en", "ar"} {
		for _, width := range []int{1024, 1152, 1280, 1440} {
			p.SetView(browsertest.PageView{Width: width, Height: 800})
			p.NavigateTo(a.URL + "/console/users?lang=" + lang)
			p.WaitFor(`(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)(document.querySelector("main .table-wrap"))`)
		}
	}
}

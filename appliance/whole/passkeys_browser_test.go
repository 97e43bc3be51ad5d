package whole_test

import (
	"strings"
	"testing"

	"munadi/appliance/demo/browsertest"
)

// TestPasskeyInABrowser adds a passkey with Chromium's authenticator, signs in with it alone and in place of a code, and
// removes it.
func TestPasskeyInABrowser(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	a.URL = strings.Replace(a.URL, "127.0.0.1", "localhost", 1) // browsers know no passkeys of an IP address
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "en", browsertest.PageView{})
	p.AddAuthenticator()
	passkeys := a.URL + "/console/account/passkeys"
	p.NavigateTo(passkeys)
	if strings.Contains(p.ElementText("main"), "confirm that it is you") {
		p.ClickElement("main .button.primary")
		p.TypeText("#f-current, [name=current]", nightShift)
		p.ClickElement("main form .button.primary")
	}
	p.TypeText("#f-name", "my phone")
	p.ClickElement(`form[data-passkey=create] .primary`)
	p.WaitVisible("#codes")
	p.WaitText("main", "Remove the passkey")
	p.CheckAccessibility()

	p.ClickElement(".sign-out button")
	p.WaitVisible("form[data-passkey=get] button")
	p.ClickElement("form[data-passkey=get] button")
	p.WaitVisible("nav.sections")

	p.ClickElement(".sign-out button")
	p.WaitVisible("#password")
	p.RunScript(`document.querySelector("#name").value = "admin"`)
	p.TypeText("#password", nightShift)
	p.RunScript(`document.querySelector("#password").form.requestSubmit()`)
	p.WaitVisible("form[data-passkey=get][action*=code] button, form[data-passkey=get][action*=step] button")
	p.ClickElement("form[data-passkey=get] button")
	p.WaitVisible("nav.sections")

	p.NavigateTo(a.URL + "/console/account/confirm?next=/console/account/passkeys")
	p.ClickElement("form[data-passkey=get] button")
	p.WaitVisible(`a[href*="/passkeys/remove?passkey="]`)
	p.ClickElement(`a[href*="/passkeys/remove?passkey="]`)
	p.WaitVisible(`main form[action$="/passkeys/remove"] button`)
	p.ClickElement(`main form[action$="/passkeys/remove"] button`)
	p.WaitText("main", "You have no passkey yet.")
}
